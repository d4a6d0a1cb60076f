// From values to pixels, by the scales of viz.base.colours: stops of transparent colours over the page's surface.

/** @import { Channels, Scale } from "./types" */

/** @type {(colour: string) => Channels} */
export function channels(colour) {
  if (colour.startsWith("#")) return [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16)).concat(1);
  return (colour.match(/[\d.]+/g) ?? []).map(Number);
}

/** @type {(surface: Channels, colour: Channels) => Channels} */
export function over(surface, [red, green, blue, opacity]) {
  return [red, green, blue].map((channel, index) => Math.round(surface[index] * (1 - opacity) + channel * opacity));
}

// So many opaque pixels along a scale, whose stops are pairs of a place from 0 to 1 and a colour.
/** @type {(stops: Scale, surface: string, size: number) => Uint32Array} */
export function colourTable(stops, surface, size) {
  const behind = channels(surface);
  /** @type {[number, Channels][]} */
  const parsed = stops.map(([place, colour]) => [place, channels(colour)]);
  return Uint32Array.from({ length: size }, (_, index) => {
    const place = index / (size - 1);
    const next = Math.max(
      1,
      parsed.findIndex(([stop]) => stop >= place),
    );
    const [[low, from], [high, to]] = [parsed[next - 1], parsed[next]];
    const share = (place - low) / (high - low);
    // Opacity and colour apart would darken the neutral middle, where both sides are transparent.
    const colour = from.map((channel, axis) => channel * (1 - share) + to[axis] * share);
    if (from[3] === 0) colour.splice(0, 3, ...to.slice(0, 3));
    if (to[3] === 0) colour.splice(0, 3, ...from.slice(0, 3));
    const [red, green, blue] = over(behind, colour);
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}

// Where black and white have the same contrast: see viz.base.colours.
const MIDDLE_LUMINANCE = 0.179;

// The most of the hue that the theme's own ink can be read on.
export const MOST_TINT = 0.5;

// Black or white, whichever has more contrast on an opaque ground, as ink_on of viz.base.colours.
/** @type {(ground: Channels) => string} */
export function inkOn(ground) {
  const [red, green, blue] = ground.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > MIDDLE_LUMINANCE ? "#000000" : "#ffffff";
}

/** @type {(colour: Channels, opacity?: number) => string} */
export function css([red, green, blue], opacity = 1) {
  return `rgb(${red} ${green} ${blue} / ${opacity})`;
}
