// Wheel, fingers and pointer on the timeline, as what they mean. A wheel scrolls the page as everywhere, unless a key says
// that it zooms (a pinch on a touchpad is told that way) or somebody works with the timeline already.

export interface Gestures {
  zoom(factor: number, x: number): void;
  pan(pixels: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  press(x: number, y: number): void; // without having moved
  nearer(x: number): void; // pressed twice
  drag(from: number, to: number, done: boolean): void; // along the ruler
  isRuler(y: number): boolean;
  takesWheel(zoomingIn: boolean): boolean; // without a key
}

const STILL = 4; // pixels that a press may move

interface Finger {
  x: number;
  first: number;
  ruler: boolean;
  moved: boolean;
}

class Fingers {
  private readonly down = new Map<number, Finger>();

  constructor(
    private readonly canvas: HTMLElement,
    private readonly means: Gestures,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointercancel", (event) => this.down.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => means.leave());
    canvas.addEventListener("dblclick", (event) => means.nearer(this.place(event)[0]));
  }

  private place(event: MouseEvent): [x: number, y: number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const [x, y] = this.place(event);
    this.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, { x, first: x, ruler: this.means.isRuler(y), moved: false });
  }

  private onMove(event: PointerEvent): void {
    const [x, y] = this.place(event);
    const finger = this.down.get(event.pointerId);
    if (finger === undefined) {
      if (this.down.size === 0) this.means.hover(x, y);
      return;
    }
    const before = this.pinch();
    const by = x - finger.x;
    finger.x = x;
    finger.moved ||= Math.abs(x - finger.first) >= STILL;
    if (!finger.moved) return;
    const now = this.pinch();
    if (before !== undefined && now !== undefined) {
      this.means.zoom(now.apart / before.apart, before.middle);
      this.means.pan(before.middle - now.middle);
    } else if (finger.ruler) {
      this.means.drag(finger.first, x, false);
    } else {
      this.means.pan(-by);
    }
  }

  private onUp(event: PointerEvent): void {
    const finger = this.down.get(event.pointerId);
    this.down.delete(event.pointerId);
    if (finger === undefined) return;
    const [x, y] = this.place(event);
    if (!finger.moved) this.means.press(x, y);
    else if (finger.ruler) this.means.drag(finger.first, x, true);
  }

  private pinch(): { middle: number; apart: number } | undefined {
    const [one, other] = [...this.down.values()];
    if (one === undefined || other === undefined) return undefined;
    return { middle: (one.x + other.x) / 2, apart: Math.max(20, Math.abs(one.x - other.x)) };
  }
}

function onWheel(event: WheelEvent, canvas: HTMLElement, means: Gestures): void {
  const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
  const [across, down] = [event.deltaX * lines, event.deltaY * lines];
  if (Math.abs(across) > Math.abs(down) || event.shiftKey) {
    event.preventDefault();
    means.pan(event.shiftKey && across === 0 ? down : across);
    return;
  }
  if (!event.ctrlKey && !event.metaKey && !means.takesWheel(down < 0)) return;
  event.preventDefault();
  // A pinch comes in small steps, a wheel in steps of 100 or so.
  const speed = event.ctrlKey && Math.abs(down) < 50 ? 0.01 : 0.002;
  means.zoom(Math.exp(-speed * down), event.clientX - canvas.getBoundingClientRect().left);
}

export function follow(canvas: HTMLElement, means: Gestures): void {
  new Fingers(canvas, means);
  canvas.addEventListener("wheel", (event) => onWheel(event, canvas, means), { passive: false });
}
