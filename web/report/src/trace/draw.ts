// One frame of the timeline: what is shown of each lane, with times and steps above and words beside it.

import { drawPointer, tickAlign, upright } from "../canvas/pen";
import { FONT } from "../canvas/time_frame";
import { linear, ticks } from "../scale";
import { brief } from "./data";
import { BAND, type Lane } from "./layout";
import { memoryLane } from "./memory_lane";
import { paintColumns } from "./paint";
import { place, type Scene } from "./scene";
import type { Span } from "./spans";
import { duration, moment, percent, unitOf } from "./words";

const LEAST_LABEL = 74; // pixels that a stretch needs to be named
const NARROW = 600;
const LEAST_STEP = 24; // pixels from which on its ends are drawn through the lanes

export function drawScene(context: CanvasRenderingContext2D, scene: Scene): void {
  paintLanes(context, scene);
  context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
  context.font = FONT;
  context.textBaseline = "middle";
  drawTimes(context, scene);
  drawSteps(context, scene);
  scene.layout.devices.forEach((lane) => {
    drawSummary(context, scene, lane);
    nameSpans(context, scene, lane);
  });
  scene.layout.memory.forEach((lane) => memoryLane(context, scene, lane));
  drawMarks(context, scene);
}

function paintLanes(context: CanvasRenderingContext2D, scene: Scene): void {
  const width = Math.round(scene.width * scene.ratio);
  const image = context.createImageData(width, context.canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (const lane of scene.layout.devices) {
    const sums = scene.spans[lane.index]?.columns(scene.view.from, scene.view.to, width);
    const top = Math.round(lane.top * scene.ratio);
    const height = Math.round(lane.height * scene.ratio);
    if (sums !== undefined) paintColumns({ pixels, width, top, height }, sums, scene.brushes);
  }
  context.putImageData(image, 0, 0);
}

function drawTimes(context: CanvasRenderingContext2D, scene: Scene): void {
  const { view, theme } = scene;
  const [unit] = unitOf(view.wall); // in which ticks are round
  const marks = ticks({ low: view.from / unit, high: view.to / unit }, linear);
  const step = unit * ((marks[1] ?? 1) - (marks[0] ?? 0));
  const every = Math.max(1, Math.ceil(90 / Math.max(1, (step / view.span) * scene.width)));
  context.beginPath();
  context.fillStyle = theme.dim;
  marks.forEach((mark, index) => {
    const x = place(scene, mark * unit);
    upright(context, x, BAND - 4, BAND);
    if (index % every !== 0) return;
    context.textAlign = tickAlign(x, 0, scene.width);
    context.fillText(moment(mark * unit, step, view.wall), Math.max(1, Math.min(scene.width - 1, x)), BAND / 2 - 2);
  });
  context.moveTo(0, BAND - 0.5);
  context.lineTo(scene.width, BAND - 0.5);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.stroke();
}

function drawSteps(context: CanvasRenderingContext2D, scene: Scene): void {
  const { data, view, layout, theme } = scene;
  // Beside the words above the lanes, not through them.
  const edge = (x: number, apart: boolean): void => {
    upright(context, x, layout.steps, layout.below);
    if (!apart) return;
    [...layout.devices, ...layout.memory].forEach((lane) => upright(context, x, lane.top, lane.top + lane.height));
  };
  context.beginPath();
  context.textAlign = "center";
  context.fillStyle = theme.dim;
  let lastEdge = -10;
  for (const step of data.steps) {
    if (step.end < view.from || step.start > view.to) continue;
    const from = Math.max(0, place(scene, step.start));
    const to = Math.min(scene.width, place(scene, step.end));
    if (from - lastEdge < 3) continue; // too close to be told apart
    lastEdge = from;
    const apart = to - from >= LEAST_STEP;
    if (step.start >= view.from) edge(from, apart);
    if (step.end <= view.to) edge(to, apart);
    const name = [`step ${step.number}`, String(step.number)].find((text) => context.measureText(text).width + 8 < to - from);
    if (name !== undefined) context.fillText(name, (from + to) / 2, layout.steps + BAND / 2);
  }
  context.strokeStyle = theme.line;
  context.setLineDash([2, 3]);
  context.stroke();
  context.setLineDash([]);
}

/** What is shown of a device, as many words as there is room for. */
function drawSummary(context: CanvasRenderingContext2D, scene: Scene, lane: Lane): void {
  const sums = scene.spans[lane.index]?.between(scene.view.from, scene.view.to);
  const device = scene.data.devices[lane.index];
  const name = (scene.width < NARROW ? device?.brief : device?.name) ?? "";
  context.textAlign = "left";
  context.fillStyle = scene.theme.text;
  const y = lane.top - 10;
  const wall = sums?.reduce((sum, one) => sum + one, 0) ?? 0;
  if (sums === undefined || !(wall > 0)) {
    context.fillText(`${name}: nothing was recorded here`, 0, y, scene.width);
    return;
  }
  let busy = 0;
  sums.forEach((ns, part) => (busy += scene.data.parts[part]?.idle === true ? 0 : ns));
  const idle = [...sums.keys()].filter((part) => scene.data.parts[part]?.idle === true && sums[part]! > 0);
  idle.sort((a, b) => sums[b]! - sums[a]!);
  let text = `${name}: busy ${percent(busy / wall)}`;
  for (const part of idle) {
    const longer = `${text}${part === idle[0] ? "; idle for " : ", "}${brief(scene.data.parts[part])} ${percent(sums[part]! / wall)}`;
    if (context.measureText(longer).width > scene.width) break;
    text = longer;
  }
  context.fillText(text, 0, y, scene.width);
}

/** Names what is wide enough: looked for at so many places that none is missed. */
function nameSpans(context: CanvasRenderingContext2D, scene: Scene, lane: Lane): void {
  let end = -Infinity;
  for (let x = 0; x < scene.width; x += LEAST_LABEL / 2) {
    const time = scene.view.from + (x / scene.width) * scene.view.span;
    if (time < end) continue;
    const found = scene.spans[lane.index]?.at(time);
    if (found === undefined) continue;
    end = found.end;
    if (found.part !== -1) nameOne(context, scene, lane, found);
  }
}

function nameOne(context: CanvasRenderingContext2D, scene: Scene, lane: Lane, one: Span): void {
  const from = Math.max(0, place(scene, one.start));
  const to = Math.min(scene.width, place(scene, one.end));
  if (to - from < LEAST_LABEL) return;
  const name = one.part === -2 ? "excluded" : brief(scene.data.parts[one.part]);
  const texts = [`${name} ${duration(one.end - one.start)}`, duration(one.end - one.start)];
  const text = texts.find((words) => context.measureText(words).width + 16 < to - from);
  if (text === undefined) return;
  const width = context.measureText(text).width + 10;
  const middle = lane.top + lane.height / 2;
  context.fillStyle = scene.theme.background;
  context.fillRect((from + to - width) / 2, middle - 9, width, 18);
  context.fillStyle = scene.theme.text;
  context.textAlign = "center";
  context.fillText(text, (from + to) / 2, middle);
}

function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const { theme, layout } = scene;
  context.strokeStyle = theme.text;
  for (const mark of scene.marks) {
    const lane = layout.devices[mark.lane];
    if (lane === undefined) continue;
    const from = Math.max(-4, place(scene, mark.from));
    const to = Math.min(scene.width + 4, place(scene, mark.to));
    context.lineWidth = 2;
    context.strokeRect(from - 1, lane.top - 1, Math.max(1, to - from) + 2, lane.height + 2);
  }
  context.lineWidth = 1;
  const { cursor, chosen } = scene;
  const span = chosen && { from: place(scene, chosen.from), to: place(scene, chosen.to) };
  drawPointer(context, theme.text, BAND, layout.height, cursor === undefined ? undefined : place(scene, cursor), span);
}
