import type { Region, Size } from './drawPicture.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Minimum side of a region, unless the picture is smaller. */
const leastSide = 8;

/** Returns the region between two points of a drag. */
export function regionBetween(a: Point, b: Point, size: Size): Region {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return within({ x, y, width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) }, size);
}

/** Returns the initial region: all but a margin. */
export function initialRegion({ width, height }: Size): Region {
  const part = { x: width * 0.1, y: height * 0.1, width: width * 0.8, height: height * 0.8 };
  return within(part, { width, height });
}

/** Returns the region after an arrow key, which moves it, or with Shift its lower right corner. */
export function regionAfterKey(
  part: Region,
  key: string,
  withShift: boolean,
  size: Size,
): Region | undefined {
  const step = Math.max(1, Math.round(Math.max(size.width, size.height) / 100));
  const { x, y } = directions[key] ?? { x: 0, y: 0 };
  if (x === 0 && y === 0) return undefined;
  const by = { x: x * step, y: y * step };
  return withShift
    ? within({ ...part, width: part.width + by.x, height: part.height + by.y }, size)
    : within({ ...part, x: part.x + by.x, y: part.y + by.y }, size);
}

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Rounds to whole pixels inside the picture. */
function within(part: Region, size: Size): Region {
  const clamp = (value: number, least: number, most: number) =>
    Math.round(Math.min(Math.max(value, Math.min(least, most)), most));
  const x = clamp(part.x, 0, Math.max(0, size.width - leastSide));
  const y = clamp(part.y, 0, Math.max(0, size.height - leastSide));
  const width = clamp(part.width, leastSide, size.width - x);
  const height = clamp(part.height, leastSide, size.height - y);
  return { x, y, width, height };
}
