// Fills pixels: in each column the parts one above the other, each by its share of what the column holds. Pixel by pixel,
// since a frame has as many rectangles as pixels, and patterns would cost a canvas more than these.

import type { Look } from "./data";
import { PARTS } from "./spans";

/** The pixels of a part, as a tile that repeats. */
export interface Brush {
  size: number;
  pixels: Uint32Array;
  colour: string;
}

const TILE = 8;

export function brushes(styles: Look[], ratio: number): Brush[] {
  const style = getComputedStyle(document.documentElement);
  const size = Math.max(TILE, Math.round(TILE * ratio));
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return [];
  return styles.map((look) => {
    const colour = style.getPropertyValue(`--part-${look.key}`).trim();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colour;
    context.fillRect(0, 0, size, size);
    context.scale(size / TILE, size / TILE);
    context.lineWidth = 1.4;
    context.strokeStyle = style.getPropertyValue(`--ink-${look.key}`).trim() || colour;
    context.stroke(new Path2D(look.weave));
    const pixels = new Uint32Array(context.getImageData(0, 0, size, size).data.buffer);
    return { size, pixels, colour };
  });
}

export interface Area {
  pixels: Uint32Array;
  width: number;
  top: number;
  height: number;
}

/** The sums are those of Spans.columns(), a column a pixel. Busy parts are at the bottom. */
export function paintColumns(area: Area, sums: Float64Array, with_: Brush[]): void {
  for (let x = 0; x < area.width; x += 1) {
    let total = 0;
    for (let part = 0; part < PARTS; part += 1) total += sums[x * PARTS + part]!;
    if (!(total > 0)) continue;
    let sum = 0;
    let bottom = area.top + area.height;
    for (let part = 0; part < PARTS; part += 1) {
      sum += sums[x * PARTS + part]!;
      const top = area.top + area.height - Math.round((area.height * sum) / total);
      const brush = with_[part];
      if (brush !== undefined && top < bottom) paintRun(area, x, top, bottom, brush);
      bottom = Math.min(bottom, top);
    }
  }
}

function paintRun(area: Area, x: number, top: number, bottom: number, brush: Brush): void {
  const column = x % brush.size;
  for (let y = top; y < bottom; y += 1) {
    area.pixels[y * area.width + x] = brush.pixels[(y % brush.size) * brush.size + column]!;
  }
}
