// The spread of single iterations: exact quartiles and whiskers as boxes, samples as points.

import type { BoxChart, BoxSeries } from "./data";
import type { ValueAxis } from "./frame";
import { boxes, type BoxDatum } from "./marks";
import { withRoom, type Scale } from "./scale";
import type { SizeAxis } from "./size_axis";
import { colourOf, type Theme } from "./style";

const ALL_BOXES = 0.7; // width of all boxes of one size, in steps
const FILLS = [0.5, 0.3, 0.7];

export function boxValues(chart: BoxChart, scale: Scale): ValueAxis {
  return { scale, range: withRoom([chart.bottom, chart.top], scale, false, 0.02 * chart.top), decimals: chart.decimals };
}

interface Place {
  sizes: SizeAxis;
  scale: Scale;
  theme: Theme;
}

function oneSeries(chart: BoxChart, series: BoxSeries, index: number, count: number, at: Place): object[] {
  const to = (value: number): number => at.scale.to(value);
  const data = series.boxes.map((box, place): BoxDatum => {
    const x = at.sizes.position(box.size);
    return [x, to(box.low), to(box.q1), to(box.median), to(box.q3), to(box.high), place];
  });
  const each = ALL_BOXES / count;
  const strays = {
    points: series.boxes.map((box) => box.points.map(to)),
    above: series.boxes.map((box) => box.above),
    below: series.boxes.map((box) => box.below),
    top: to(chart.top),
    bottom: to(chart.bottom),
  };
  const look = {
    colour: colourOf(series.colour, at.theme),
    line: at.theme.text,
    fill: FILLS[index % FILLS.length] ?? 0.5,
    width: Math.min(0.4, 0.8 * each),
    offset: (index + 0.5) * each - ALL_BOXES / 2,
  };
  // What the pointer snaps to.
  const medians = data.map((datum) => [datum[0], datum[3]]);
  return [
    boxes(data, strays, look),
    { type: "scatter", name: "median", data: medians, symbolSize: 0, silent: true },
  ];
}

export function boxSeries(chart: BoxChart, shown: BoxSeries[], at: Place): object[] {
  return shown.flatMap((series, index) => oneSeries(chart, series, index, shown.length, at));
}
