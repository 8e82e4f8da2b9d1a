import { Uri } from 'vscode';

/** Returns an SVG icon as a data URI, which needs no file. */
export function svgIcon(size: number, attributes: string, content: string): Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}" ${attributes}>${content}</svg>`;
  return Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}
