// Names beside points: each where it covers neither another name nor a point, as near to its own as it can be.

/** A rectangle in pixels: its left upper corner and its size. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What wants a name: where it stands, and how large the name is: in full, and shorter for where that has no room. */
export interface Named {
  x: number;
  y: number;
  widths: number[];
  height: number;
}

/** Between a point and its name. */
const GAP_PX = 8;
/** So many lines above or below a point its name may still stand. */
const LINES_MOST = 4;

/** Left upper corners of the names; null for one that has no room. */
export function besidePoints(named: Named[], taken: Box[], room: Box): (Box | null)[] {
  const own = [...taken];
  return named.map((one) => {
    const all = one.widths.flatMap((width) => places(one, width, room));
    const free = all.find((box) => isWithin(box, room) && !own.some((b) => meet(box, b)));
    if (free) own.push(free);
    return free ?? null;
  });
}

/** Where a name may stand, the best place first: beside its point, above and below it, further away. */
function places({ x, y, height }: Named, width: number, room: Box): Box[] {
  const at = (left: number, top: number): Box => ({ x: left, y: top, width, height });
  const [right, left] = [x + GAP_PX, x - GAP_PX - width];
  // Above and below a point at the edge there is room for a name that is not in the middle.
  const middle = Math.min(Math.max(x - width / 2, room.x), room.x + room.width - width);
  const far = Array.from({ length: LINES_MOST }, (_, line) => GAP_PX + line * height);
  return [
    at(right, y - height / 2),
    at(left, y - height / 2),
    ...far.flatMap((away) => [
      at(middle, y - away - height),
      at(middle, y + away),
      at(right, y - away - height / 2),
      at(left, y - away - height / 2),
      at(right, y + away - height / 2),
      at(left, y + away - height / 2),
    ]),
  ];
}

function isWithin(box: Box, room: Box): boolean {
  return (
    box.x >= room.x &&
    box.y >= room.y &&
    box.x + box.width <= room.x + room.width &&
    box.y + box.height <= room.y + room.height
  );
}

/** The place in a box that is nearest to a point. */
export function nearestTo(x: number, y: number, box: Box): [number, number] {
  const within = (value: number, from: number, size: number): number =>
    Math.min(Math.max(value, from), from + size);
  return [within(x, box.x, box.width), within(y, box.y, box.height)];
}

function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
