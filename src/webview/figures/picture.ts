/** Styles that come from the page, and that a picture has to carry itself. */
const painted = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'opacity',
];

/** Twice the size of the page, as on dense screens; canvases have an end. */
const density = 2;
const longestSide = 8_000;

/** Puts the figure on the clipboard as PNG. `false` where the browser refuses. */
export async function copyPicture(svg: SVGSVGElement): Promise<boolean> {
  // The browser wants to see the press: the picture may come later, as a promise.
  const item = new ClipboardItem({ 'image/png': pngOf(svg) });
  return navigator.clipboard.write([item]).then(
    () => true,
    () => false,
  );
}

async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(density, longestSide / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas.');
  context.fillStyle = getComputedStyle(svg.closest('.figure') ?? svg).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      blob => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))),
      'image/png',
    );
  });
}

/** The same drawing with its colours as attributes, which needs no style of the page. */
function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const originals = svg.querySelectorAll('*');
  for (const [at, element] of copy.querySelectorAll('*').entries()) {
    const style = getComputedStyle(originals[at]!);
    for (const name of painted) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  }
  return new XMLSerializer().serializeToString(copy);
}
