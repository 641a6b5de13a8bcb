// Where the time of an iteration goes: one bar a batch size, its phases stacked; as shares or in milliseconds.

import type { StackChart } from "./data";
import type { ValueAxis } from "./frame";
import { linear } from "./scale";
import type { SizeAxis } from "./size_axis";
import { colourOf, decalOf, type Theme } from "./style";

const LABEL = 56; // pixels
const AROUND = 60; // what the axis takes of the width

export function stackValues(chart: StackChart, shares: boolean): ValueAxis {
  const high = shares ? 108 : 1.1 * Math.max(...chart.bars.map((bar) => bar.mean));
  return { scale: linear, range: { low: 0, high }, decimals: 0, unit: shares ? " %" : " ms" };
}

export function stackSeries(chart: StackChart, shares: boolean, sizes: SizeAxis, theme: Theme, width: number): object[] {
  const step = chart.bars.length;
  const barWidth = Math.max(2, Math.min(70, (0.68 * (width - AROUND)) / Math.max(1, step + 0.2)));
  const bars = chart.phases.map((phase, index) => ({
    type: "bar",
    name: phase.name,
    stack: "phases",
    barWidth,
    data: chart.bars.map((bar) => {
      const part = bar.parts[index];
      return [sizes.position(bar.size), part === undefined ? 0 : shares ? 100 * part.share : part.ms];
    }),
    itemStyle: {
      color: colourOf(phase.colour, theme),
      borderColor: theme.dark ? "#16191d" : "#404040",
      borderWidth: 0.5,
      decal: decalOf(phase.style, theme),
    },
    emphasis: { disabled: true },
    z: 3,
  }));
  const totals = {
    type: "scatter",
    name: "mean",
    silent: true,
    symbolSize: 0,
    itemStyle: { opacity: 1 }, // or its words would be faint, as its dots are usually
    z: 4,
    data: chart.bars.map((bar) => ({
      value: [sizes.position(bar.size), shares ? 100 : bar.mean],
      label: { show: step * LABEL <= width - AROUND, position: "top", formatter: bar.text, color: theme.text, fontSize: 11 },
    })),
  };
  return [...bars, totals];
}
