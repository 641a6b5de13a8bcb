// What all charts have in common: margins, axes, grid lines and the tooltip's place.

import type { EChartsOption } from "./library";
import { tickLabel, ticks, type Range, type Scale } from "./scale";
import { labelled, tickPlaces, type SizeAxis } from "./size_axis";
import type { Theme } from "./style";

export interface ValueAxis {
  scale: Scale;
  range: Range;
  decimals: number;
  unit?: string; // stands beside each mark, where the title of the axis does not say it
}

export interface Frame {
  width: number;
  theme: Theme;
  sizes: SizeAxis;
  values: ValueAxis;
  tooltip: (position: number) => HTMLElement;
}

const RIGHT = 14;
const TOP = 30; // a label of two lines
const LETTER = 7;

function axisLine(theme: Theme): object {
  return { show: true, lineStyle: { color: theme.line } };
}

function sizeAxis(frame: Frame, left: number): object {
  const shown = labelled(frame.sizes, frame.width - left - RIGHT);
  const texts = new Map(shown.map((mark) => [mark.at.toFixed(9), mark.text]));
  return {
    type: "value",
    min: frame.sizes.range.low,
    max: frame.sizes.range.high,
    name: frame.sizes.title,
    nameLocation: "middle",
    nameGap: 28,
    nameTextStyle: { color: frame.theme.dim, fontSize: 12 },
    axisLine: { ...axisLine(frame.theme), onZero: false },
    axisTick: { show: true, customValues: tickPlaces(frame.sizes, shown), lineStyle: { color: frame.theme.line } },
    axisLabel: {
      customValues: shown.map((mark) => mark.at),
      formatter: (value: number) => texts.get(value.toFixed(9)) ?? "",
      color: frame.theme.dim,
      fontSize: 12,
    },
    splitLine: { show: false },
    axisPointer: { show: true, snap: true, label: { show: false }, lineStyle: { color: frame.theme.line, type: "solid" } },
  };
}

function valueAxis(frame: Frame, marks: number[], label: (position: number) => string): object {
  const { scale, range } = frame.values;
  const places = marks.map((mark) => scale.to(mark));
  return {
    type: "value",
    min: range.low,
    max: range.high,
    axisLine: { ...axisLine(frame.theme), onZero: false },
    axisTick: { show: true, customValues: places, lineStyle: { color: frame.theme.line } },
    axisLabel: { customValues: places, formatter: label, color: frame.theme.dim, fontSize: 12 },
    splitLine: { show: true, customValues: places, lineStyle: { color: frame.theme.grid } },
    axisPointer: { show: false },
  };
}

export function frameOption(frame: Frame): EChartsOption {
  const scale = frame.values.scale;
  const marks = ticks(frame.values.range, scale);
  const label = (position: number): string => tickLabel(scale.from(position), scale.logarithmic ? 0 : frame.values.decimals) + (frame.values.unit ?? "");
  const longest = Math.max(1, ...marks.map((mark) => label(scale.to(mark)).length));
  const left = 16 + LETTER * longest;
  return {
    animation: false,
    textStyle: { fontFamily: "system-ui, sans-serif", color: frame.theme.text },
    aria: { enabled: true, label: { enabled: false }, decal: { show: false } },
    grid: { left, right: RIGHT, top: TOP, bottom: 48, outerBoundsMode: "none" },
    xAxis: sizeAxis(frame, left),
    yAxis: valueAxis(frame, marks, label),
    tooltip: {
      trigger: "axis",
      confine: true,
      transitionDuration: 0,
      backgroundColor: frame.theme.background,
      borderColor: frame.theme.line,
      textStyle: { color: frame.theme.text, fontSize: 13 },
      formatter: (params: unknown) => frame.tooltip(axisValue(params)),
    },
  } as EChartsOption;
}

function axisValue(params: unknown): number {
  const first = (Array.isArray(params) ? params[0] : params) as { axisValue?: number | string } | undefined;
  return Number(first?.axisValue ?? 0);
}
