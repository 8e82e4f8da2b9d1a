/** Styles of the page that a standalone picture must include. */
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

/** Pixels of the picture per CSS pixel, limited by the size of canvases. */
const density = 2;
const longestSide = 8_000;

/** Copies the figure as PNG. Returns false if the browser refuses. */
export async function copyPicture(svg: SVGSVGElement): Promise<boolean> {
  // The clipboard call must be synchronous with the click, so the picture is a promise.
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

/** Returns the drawing with its styles as attributes. */
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
