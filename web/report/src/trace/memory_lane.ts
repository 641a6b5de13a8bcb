// What the allocator held of a device over time: allocated as an area, reserved as a dashed line above it.

import type { Memory } from "./data";
import type { Lane } from "./layout";
import { place, type Scene } from "./scene";
import { megabytes } from "./words";

type Which = 1 | 2; // allocated, reserved

function most(memory: Memory): number {
  return memory.moments.reduce((high, [, allocated, reserved]) => Math.max(high, allocated, reserved), 0);
}

/** Steps from left to right: what is held stays until the next moment. */
function trace(context: CanvasRenderingContext2D, scene: Scene, lane: Lane, memory: Memory, which: Which): void {
  const high = most(memory);
  const height = (bytes: number): number => lane.top + lane.height * (1 - Math.max(0, bytes) / high);
  const bottom = lane.top + lane.height;
  context.beginPath();
  let last = bottom;
  memory.moments.forEach((at, index) => {
    const x = Math.max(-2, Math.min(scene.width + 2, place(scene, at[0])));
    if (index === 0) context.moveTo(x, which === 1 ? bottom : height(at[which]));
    else context.lineTo(x, last);
    last = height(at[which]);
    context.lineTo(x, last);
  });
  context.lineTo(scene.width + 2, last);
}

export function memoryLane(context: CanvasRenderingContext2D, scene: Scene, lane: Lane): void {
  const memory = scene.data.memory[lane.index];
  if (memory === undefined || !(most(memory) > 0)) return;
  const has = memory.moments.some((one) => one[2] > 0);
  context.textAlign = "left";
  context.fillStyle = scene.theme.text;
  const since = memory.counted ? ", from the start of the recording" : "";
  const dashed = has ? "; dashed: reserved" : "";
  context.fillText(`Memory of ${memory.name}: allocated${since}, up to ${megabytes(most(memory))}${dashed}`, 0, lane.top - 10, scene.width);
  context.save();
  context.beginPath();
  context.rect(0, lane.top - 1, scene.width, lane.height + 2);
  context.clip();
  trace(context, scene, lane, memory, 1);
  context.strokeStyle = scene.brushes[0]?.colour ?? scene.theme.text;
  context.lineWidth = 1.5;
  context.stroke();
  context.lineTo(scene.width + 2, lane.top + lane.height);
  context.globalAlpha = 0.25;
  context.fillStyle = context.strokeStyle;
  context.fill();
  context.globalAlpha = 1;
  if (has) {
    trace(context, scene, lane, memory, 2);
    context.strokeStyle = scene.theme.text;
    context.setLineDash([5, 4]);
    context.stroke();
  }
  context.restore();
}

/** The last moment at or before that time. */
export function memoryAt(memory: Memory, time: number): Memory["moments"][number] | undefined {
  let low = 0;
  let high = memory.moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((memory.moments[middle]?.[0] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return memory.moments[low - 1];
}
