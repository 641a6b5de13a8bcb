// Strokes that every canvas over time has.

export interface Span {
  from: number;
  to: number;
}

/** Added to the path, sharp on its column of pixels. */
export function upright(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  const at = Math.round(x) + 0.5;
  context.moveTo(at, top);
  context.lineTo(at, bottom);
}

/** The moment that is pointed at, and what is about to be zoomed into, both as places. */
export function drawPointer(context: CanvasRenderingContext2D, colour: string, top: number, bottom: number, cursor: number | undefined, chosen: Span | undefined): void {
  if (chosen !== undefined) {
    context.globalAlpha = 0.18;
    context.fillStyle = colour;
    context.fillRect(chosen.from, top, chosen.to - chosen.from, bottom - top);
    context.globalAlpha = 1;
  }
  if (cursor === undefined) return;
  context.beginPath();
  upright(context, cursor, top, bottom);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.stroke();
}

/** Where words beside a tick go, so that none leaves the drawing. */
export function tickAlign(x: number, left: number, right: number): CanvasTextAlign {
  return x < left + 36 ? "left" : x > right - 36 ? "right" : "center";
}
