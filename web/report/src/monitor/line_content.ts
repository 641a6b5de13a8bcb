// Lines over time: the mean, within a band from the least to the most where a point stands for several readings.

import { linear, logarithmic, tickLabel, ticks, withRoom, type Range, type Scale } from "../scale";
import { dashOf } from "../style";
import { clipped, drawBands, drawCursor, drawTimeAxis, LEFT, plotWidth, RIGHT, TOP, xOf, type Area } from "./area";
import type { Content, Reading, ReadingLine } from "./content";
import type { Band, Chart, Line } from "./data";
import { extremes, nearestRow, rowAt, rowsIn, runsOf, type Run } from "./points";
import { amount, moment } from "./words";

const HEIGHT = 168;
const APART = 3; // pixels between two points: what is nearer is drawn as one
const MANY = 3; // lines
const LEAST_TICKS = 24; // pixels between two

export class LineContent implements Content {
  readonly label: string;
  readonly height = HEIGHT;
  readonly wordLines: number;
  readonly hidden = new Set<number>();
  logarithmic = false;

  constructor(
    private readonly chart: Chart,
    private readonly bands: Band[],
    private readonly start: number,
  ) {
    this.label = `${chart.title}${chart.unit === "" ? "" : `, ${chart.unit}`}, over time`;
    this.wordLines = this.stepClock() === undefined ? 1 : 2;
  }

  draw(area: Area): void {
    const shown = this.shown();
    const scale = this.logarithmic ? logarithmic(10) : linear;
    const range = this.rangeOf(shown, area, scale);
    this.drawValueAxis(area, range, scale);
    const y = (value: number): number => TOP + area.height * (1 - (scale.to(value) - range.low) / (range.high - range.low));
    clipped(area, () => {
      drawBands(area, this.bands);
      this.drawLimit(area, y);
      shown.forEach((line) => drawLine(area, line, this.chart.lines.indexOf(line), shown.length > MANY ? 0.5 : 1, y));
      drawCursor(area);
    });
    drawTimeAxis(area, (time) => this.stepText(time));
  }

  read(time: number): Reading | undefined {
    const lines: ReadingLine[] = [];
    let found: number | undefined;
    let step: number | null | undefined;
    for (const line of this.shown()) {
      const row = nearestRow(line.clock.times, time);
      if (row < 0) continue;
      const at = line.clock.times[row]!;
      if (found === undefined || Math.abs(at - time) < Math.abs(found - time)) found = at;
      step ??= line.clock.steps?.[row];
      lines.push({ colour: this.chart.lines.indexOf(line), name: line.name, text: this.valueText(line, row) });
    }
    if (found === undefined) return undefined;
    const title = `${moment(this.start + found, this.distance())} UTC${step == null ? "" : `, step ${step}`}`;
    return { title, time: found, lines };
  }

  next(time: number, direction: 1 | -1): { time: number; y: number } | undefined {
    const times = this.shown()[0]?.clock.times ?? new Float64Array();
    let row = rowAt(times, time);
    if (direction > 0) while (row < times.length && times[row]! <= time) row += 1;
    else row -= 1;
    const at = times[Math.max(0, Math.min(times.length - 1, row))];
    return at === undefined ? undefined : { time: at, y: TOP + HEIGHT / 2 };
  }

  press(): void {}

  private shown(): Line[] {
    return this.chart.lines.filter((_, index) => !this.hidden.has(index));
  }

  /** Where all lines are of one loop: its steps. */
  private stepClock(): Line["clock"] | undefined {
    const clocks = new Set(this.chart.lines.map((line) => line.clock));
    return clocks.size === 1 && this.chart.bySteps ? this.chart.lines[0]?.clock : undefined;
  }

  /** Between two rows, where they are most. */
  private distance(): number {
    const times = this.chart.lines[0]?.clock.times ?? new Float64Array();
    return ((times[times.length - 1] ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1) + 1;
  }

  private stepText(time: number): string {
    const clock = this.stepClock();
    if (clock?.steps === undefined) return "";
    const row = Math.min(clock.times.length - 1, rowAt(clock.times, time));
    const step = clock.steps[row];
    return step == null || time < clock.times[0]! ? "" : `step ${step}`;
  }

  private valueText(line: Line, row: number): string {
    const [mean, low, high] = [line.mean[row]!, line.low[row]!, line.high[row]!];
    if (Number.isNaN(mean)) return "no value";
    const unit = this.chart.unit;
    return low === high ? amount(mean, unit) : `${amount(mean, unit)} (${amount(low, "")} to ${amount(high, "")})`;
  }

  private rangeOf(shown: Line[], area: Area, scale: Scale): Range {
    const found = extremes(shown, area.from, area.to) ?? { low: 0, high: 1 };
    if (scale.logarithmic) return withRoom([found.high, found.low > 0 ? found.low : found.high / 1e3], scale, false, 0);
    if (this.chart.unit === "%" && this.chart.fromZero && found.high > 40 && found.high <= 100) return { low: 0, high: 104 };
    const limit = this.chart.limit?.value;
    const near = limit !== undefined && limit >= found.low && found.high > 0.6 * limit ? [limit] : [];
    const least = 0.02 * Math.max(Math.abs(found.low), Math.abs(found.high), 1e-9);
    return withRoom([found.low, found.high, ...near], scale, this.chart.fromZero, least);
  }

  private drawValueAxis(area: Area, range: Range, scale: Scale): void {
    const { context, theme } = area;
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = theme.dim;
    context.strokeStyle = theme.grid;
    context.lineWidth = 1;
    context.beginPath();
    let last = Infinity;
    for (const mark of ticks(range, scale)) {
      const y = Math.round(TOP + area.height * (1 - (scale.to(mark) - range.low) / (range.high - range.low))) + 0.5;
      if (last - y < LEAST_TICKS) continue;
      last = y;
      context.moveTo(LEFT, y);
      context.lineTo(area.width - RIGHT, y);
      context.fillText(tickLabel(mark, 0), LEFT - 8, y, LEFT - 10);
    }
    context.stroke();
  }

  private drawLimit(area: Area, y: (value: number) => number): void {
    const { limit } = this.chart;
    if (limit === undefined) return;
    const { context } = area;
    context.strokeStyle = area.theme.dim;
    context.setLineDash([5, 4]);
    context.lineWidth = 1.2;
    context.beginPath();
    context.moveTo(LEFT, y(limit.value));
    context.lineTo(LEFT + plotWidth(area), y(limit.value));
    context.stroke();
    context.setLineDash([]);
  }
}

/** `strength`: of the band around it, fainter where there are many. */
function drawLine(area: Area, line: Line, index: number, strength: number, y: (value: number) => number): void {
  const { context } = area;
  const { times } = line.clock;
  const [first, last] = rowsIn(times, area.from, area.to);
  const together = Math.max(1, Math.ceil((APART * (last - first)) / plotWidth(area)));
  context.strokeStyle = context.fillStyle = area.lines[index % area.lines.length] ?? area.theme.text;
  for (const run of runsOf(line, first, last, together)) {
    drawSpread(area, run, strength, y);
    drawMeans(area, run, dashOf(index), y);
  }
}

/** From the least to the most. */
function drawSpread(area: Area, run: Run, strength: number, y: (value: number) => number): void {
  if (run.low.every((low, at) => low === run.high[at])) return;
  const { context } = area;
  context.beginPath();
  run.times.forEach((time, at) => context.lineTo(xOf(area, time), y(run.high[at]!)));
  for (let at = run.times.length - 1; at >= 0; at -= 1) context.lineTo(xOf(area, run.times[at]!), y(run.low[at]!));
  context.globalAlpha = 0.2 * strength;
  context.fill();
  context.lineWidth = 1; // so that a single peak is seen
  context.globalAlpha = 0.4 * strength;
  context.stroke();
  context.globalAlpha = 1;
}

function drawMeans(area: Area, run: Run, dash: number[] | "solid", y: (value: number) => number): void {
  const { context } = area;
  context.beginPath();
  run.times.forEach((time, at) => context.lineTo(xOf(area, time), y(run.mean[at]!)));
  context.lineWidth = 1.6;
  context.setLineDash(dash === "solid" ? [] : dash);
  context.stroke();
  context.setLineDash([]);
  if (run.times.length === 1) context.fillRect(xOf(area, run.times[0]!) - 2, y(run.mean[0]!) - 2, 4, 4);
}
