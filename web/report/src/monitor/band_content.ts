// Findings over time: a bar for each, from when it began to when it ended, those that do not meet in one lane.

import { clipped, drawCursor, drawTimeAxis, LEFT, plotWidth, TOP, xOf, type Area } from "./area";
import type { Content, Reading } from "./content";
import type { Band } from "./data";
import { duration, moment } from "./words";

const LANE = 22;
const MOST_LANES = 12;
const NEAR = 4; // pixels beside a bar that still mean it

interface Bar {
  band: Band;
  named: boolean;
  lane: number;
}

/** The worst first, each in the first lane that is free then. Words stand at the first band of a finding. */
function laidOut(bands: Band[], wall: number): Bar[] {
  const lanes: Band[][] = [];
  const bars: Bar[] = [];
  const room = wall / 5; // for its words
  for (const band of bands) {
    const meets = (other: Band): boolean => {
      const apart = band.card === other.card ? 0 : room;
      return band.from < other.to + apart && other.from < band.to + apart;
    };
    let lane = lanes.findIndex((others) => !others.some(meets));
    if (lane < 0) lane = lanes.length;
    if (lane >= MOST_LANES) continue;
    (lanes[lane] ??= []).push(band);
    bars.push({ band, named: !bars.some((bar) => bar.band.card === band.card), lane });
  }
  return bars;
}

export class BandContent implements Content {
  readonly label = "Findings over time";
  readonly height: number;
  readonly wordLines = 1;
  private readonly bars: Bar[];

  constructor(
    bands: Band[],
    wall: number,
    private readonly start: number,
    private readonly chosen: (band: Band) => void,
  ) {
    this.bars = laidOut(bands, wall);
    this.height = LANE * Math.max(1, ...this.bars.map((bar) => bar.lane + 1));
  }

  draw(area: Area): void {
    clipped(area, () => {
      const seen = this.bars.filter(({ band }) => band.to >= area.from && band.from <= area.to);
      seen.forEach((bar) => drawBar(area, bar));
      // Over later bands of the finding, which are often close to the first.
      seen.filter((bar) => bar.named).forEach((bar) => drawWords(area, bar, seen));
      drawCursor(area);
    });
    drawTimeAxis(area, () => "");
  }

  read(time: number, y: number, pixel: number): Reading | undefined {
    const bar = this.at(time, y, pixel);
    return bar === undefined ? undefined : this.readingOf(bar.band, time);
  }

  next(time: number, direction: 1 | -1): { time: number; y: number } | undefined {
    const sorted = [...this.bars].sort((a, b) => a.band.from - b.band.from);
    const beyond = sorted.filter(({ band }) => (direction > 0 ? band.from > time : band.from < time));
    const bar = direction > 0 ? beyond[0] : beyond[beyond.length - 1];
    const found = bar ?? (direction > 0 ? sorted[sorted.length - 1] : sorted[0]);
    return found && { time: found.band.from, y: TOP + LANE * (found.lane + 0.5) };
  }

  press(time: number, y: number, pixel: number): void {
    const bar = this.at(time, y, pixel);
    if (bar !== undefined) this.chosen(bar.band);
  }

  private at(time: number, y: number, pixel: number): Bar | undefined {
    const lane = Math.floor((y - TOP) / LANE);
    const near = NEAR * pixel;
    return this.bars.find((bar) => bar.lane === lane && time >= bar.band.from - near && time <= bar.band.to + near);
  }

  private readingOf(band: Band, time: number): Reading {
    const lines = [
      { colour: undefined, name: "since", text: `${moment(this.start + band.from, 1000)} UTC` },
      { colour: undefined, name: "for", text: `${duration(band.to - band.from)}${band.is_active ? ", still active at the end" : ""}` },
    ];
    return { title: band.what, time, lines };
  }
}

function edges(area: Area, band: Band): { left: number; right: number } {
  const left = Math.max(LEFT, xOf(area, band.from));
  return { left, right: Math.max(left + 3, Math.min(LEFT + plotWidth(area), xOf(area, band.to))) };
}

function drawBar(area: Area, { band, lane }: Bar): void {
  const { context } = area;
  const { left, right } = edges(area, band);
  const top = TOP + LANE * lane;
  context.fillStyle = area.styles[band.look];
  context.globalAlpha = 0.22;
  context.fillRect(left, top + 2, right - left, LANE - 5);
  context.globalAlpha = 1;
  context.fillRect(left, top + 2, 3, LANE - 5);
}

type Room = [x: number, width: number, align: CanvasTextAlign];

/** Beside bars of the finding, where the next of its lane is far. */
function gaps(area: Area, named: Bar, bars: Bar[]): Room[] {
  const end = LEFT + plotWidth(area);
  const lane = bars.filter((bar) => bar.lane === named.lane).map((bar) => edges(area, bar.band));
  const own = bars.filter((bar) => bar.lane === named.lane && bar.band.card === named.band.card);
  return own.map(({ band }) => {
    const { right } = edges(area, band);
    const next = Math.min(end, ...lane.map(({ left }) => left).filter((left) => left >= right));
    return [right + 5, next - right - 10, "left"];
  });
}

/** Within a bar, or beside it where that has more room; over later bars where there is none. */
function drawWords(area: Area, named: Bar, bars: Bar[]): void {
  const { context } = area;
  const { band, lane } = named;
  const { left, right } = edges(area, band);
  const wide = context.measureText(band.what).width;
  const within: Room = [left + 8, right - left - 12, "left"];
  const beside: Room[] = [
    [right + 5, LEFT + plotWidth(area) - right - 8, "left"],
    [left - 5, left - LEFT - 8, "right"],
  ];
  const all = [within, ...gaps(area, named, bars), ...beside];
  const room = all.find(([, width]) => width >= wide) ?? [within, ...beside].sort((a, b) => b[1] - a[1])[0]!;
  const text = fitted(context, band.what, room[1]);
  context.textBaseline = "middle";
  context.textAlign = room[2];
  if (room !== within) {
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = area.theme.background;
    context.strokeText(text, room[0], TOP + LANE * (lane + 0.5));
  }
  context.fillStyle = area.theme.text;
  context.fillText(text, room[0], TOP + LANE * (lane + 0.5));
}

/** As much of a text as there is room for. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 3 ? "" : `${text.slice(0, low)}…`;
}
