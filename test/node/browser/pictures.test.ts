import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { findDifferences } from '../../../src/extension/node/browser/differences.ts';
import type {
  Browser,
  PictureDifference,
  Screenshot,
} from '../../../src/extension/platform/browser/browser.ts';
import { browserSite, hasBrowser, testBrowser } from '../../support/browserSite.ts';

/** Starting one takes longer than a test. */
const browser = testBrowser();
const secret = '.secret';
const masking = testBrowser([secret, '[data-mask]']);
afterAll(() => Promise.all([browser.close(), masking.close()]));

const signal = new AbortController().signal;

type Looked = Screenshot & { readonly difference?: PictureDifference | undefined };

async function picture(of: Browser, compareTo?: string, at?: string): Promise<Looked> {
  const seen = await of.inspect({ what: 'picture', at, compareTo }, signal);
  if (seen.kind !== 'picture') throw new Error('No picture.');
  return seen;
}

const shop = (style: string, word = 'Buy') => `<title>Shop</title><style>
  body { margin: 0; font: 20px sans-serif; } #card { position: absolute; left: 100px; top: 200px; width: 300px;
  height: 100px; background: #fff; ${style} }</style><h1>Shop</h1><div id=card>Tea</div>
  <button style="position:absolute;left:700px;top:500px;width:90px;height:40px">${word}</button>`;

describe('differences', () => {
  const bitsOf = (width: number, height: number, points: readonly (readonly [number, number])[]) => {
    const bits = new Uint8Array(Math.ceil((width * height) / 8));
    for (const [x, y] of points) {
      const at = y * width + x;
      bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
    }
    return bits;
  };

  it('leave out single pixels, join what is near, and name the largest ten first', () => {
    const pair = (x: number, y: number) => [[x, y] as const, [x + 1, y] as const];
    const points = [[5, 5] as const, ...pair(20, 20), ...pair(30, 26), ...pair(90, 90)];
    expect(findDifferences(bitsOf(100, 100, points), 100, 100)).toEqual({
      count: 6,
      regions: [
        { x: 20, y: 20, width: 12, height: 7 },
        { x: 90, y: 90, width: 2, height: 1 },
      ],
      more: 0,
    });
    const many = Array.from({ length: 12 }, (_, index) => pair(40 * index, 3)).flat();
    expect(findDifferences(bitsOf(600, 10, many), 600, 10)).toMatchObject({ count: 24, more: 2 });
    // The end of one row is not next to the begin of the next.
    expect(
      findDifferences(
        bitsOf(99, 3, [
          [98, 0],
          [0, 1],
        ]),
        99,
        3,
      ).count,
    ).toBe(0);
  });
});

describe.skipIf(!hasBrowser)('a picture that is compared', () => {
  it('does not differ from one of the same page, and shows where another differs', async () => {
    const pages = { '/': shop(''), '/red': shop('background: #c00'), '/sold': shop('', 'Sold') };
    await using site = await browserSite(pages, browser);
    await browser.open(`${site.origin}/`, undefined, signal);
    const { data } = await picture(browser);
    expect((await picture(browser, data)).difference).toMatchObject({ share: 0, regions: [], more: 0 });
    await browser.open(`${site.origin}/red`, undefined, signal);
    const { difference } = await picture(browser, data);
    expect(difference?.regions).toHaveLength(1);
    const [region] = difference!.regions;
    // The blocks of a JPEG reach beyond.
    expect(Math.abs(region!.x - 100) + Math.abs(region!.y - 200)).toBeLessThan(32);
    expect(Math.abs(region!.width - 300) + Math.abs(region!.height - 100)).toBeLessThan(64);
    expect(difference?.share).toBeCloseTo(0.029, 2);
    await browser.open(`${site.origin}/sold`, undefined, signal);
    const sold = (await picture(browser, data)).difference;
    expect(sold?.regions).toHaveLength(1);
    expect(sold!.regions[0]!.x).toBeGreaterThan(680);
  });

  it('shows a shadow that is one step stronger', async () => {
    const pages = {
      '/': shop('box-shadow: 0 1px 3px rgba(0,0,0,.12)'),
      '/2': shop('box-shadow: 0 2px 6px rgba(0,0,0,.14)'),
    };
    await using site = await browserSite(pages, browser);
    await browser.open(`${site.origin}/`, undefined, signal);
    const { data } = await picture(browser);
    await browser.open(`${site.origin}/2`, undefined, signal);
    expect((await picture(browser, data)).difference?.regions.length).toBeGreaterThan(0);
  });

  it('is compared unscaled where the sizes differ, and reduced where one is exactly twice as large', async () => {
    const { width: full } = { width: 1280 };
    await using site = await browserSite({ '/': shop('') }, browser);
    await browser.open(`${site.origin}/`, 600, signal);
    const { data } = await picture(browser);
    await browser.open(`${site.origin}/`, full, signal);
    expect((await picture(browser, data)).difference).toMatchObject({
      size: { width: full, height: 800 },
      otherSize: { width: 600, height: 800 },
      scale: 1,
    });
    const part = `<body style="margin:0"><div id=part style="width:80px;height:40px;background:#08f"></div>`;
    const twice = await site.browser.run(
      `const canvas = document.createElement('canvas'); canvas.width = 160; canvas.height = 80;
        const context = canvas.getContext('2d'); context.fillStyle = '#08f'; context.fillRect(0, 0, 160, 80);
        document.write(${JSON.stringify(part)}); return canvas.toDataURL().split(',')[1]`,
      signal,
    );
    const png: string = JSON.parse(twice.value.replaceAll('\n', ''));
    expect((await picture(browser, png, '#part')).difference).toMatchObject({
      size: { width: 80, height: 40 },
      otherSize: { width: 160, height: 80 },
      scale: 2,
      share: 0,
    });
  });

  it('is refused for what is no picture, or one that would take gigabytes', async () => {
    await using site = await browserSite({ '/': shop('') }, browser);
    await browser.open(`${site.origin}/`, undefined, signal);
    await expect(picture(browser, btoa('words'))).rejects.toThrow('no picture');
    const header = Buffer.from(bomb, 'base64');
    header.writeUInt32BE(60_000, 16);
    await expect(picture(browser, header.toString('base64'))).rejects.toThrow(/no picture|million pixels/);
    expect((await picture(browser)).data).not.toBe('');
  });

  it('is out of reach of the page', async () => {
    const hostile = `<title>Hostile</title><script>
      OffscreenCanvas.prototype.getContext = createImageBitmap = Image = () => { throw 1; };
      Element.prototype.getBoundingClientRect = () => ({ x: 0, y: 0, width: 1, height: 1 });</script>`;
    await using site = await browserSite({ '/': hostile }, browser);
    await browser.open(`${site.origin}/`, undefined, signal);
    const { data } = await picture(browser);
    expect((await picture(browser, data)).difference?.share).toBe(0);
    const opened = await browser.run('window.open("about:blank") === null', signal);
    expect(opened.notices.join()).toContain('opened a window, which was closed');
  });
});

/** A PNG of one pixel. */
const bomb =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const lines = (colour: string) => `background:${colour};color:${colour};width:200px;height:50px`;

/** The share of the picture that is nearly of one colour. */
async function shareOf(colour: readonly number[], { data }: Screenshot): Promise<number> {
  const { value } = await browser.run(
    `const image = new Image(); image.src = 'data:image/jpeg;base64,${data}'; await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height); const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0); const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0; for (let i = 0; i < data.length; i += 4)
      if (${JSON.stringify(colour)}.every((part, at) => Math.abs(data[i + at] - part) < 40)) count++;
    return count * 4 / data.length`,
    signal,
  );
  return Number(value);
}

describe.skipIf(!hasBrowser)('what the user masks', () => {
  const red = [255, 0, 0];
  const green = [0, 255, 0];

  it('is painted over wherever it is drawn, and nothing else is', async () => {
    const inner = `<body style="margin:0"><p class=secret style="${lines('#f00')}">In a frame</p>`;
    const page = `<title>Account</title><body style="height:3000px">
      <div class=secret style="${lines('#f00')}">Name<div style="position:relative;left:300px;${lines('#f00')}">Out</div></div>
      <div class=secret style="visibility:hidden;position:absolute;left:0;top:400px;width:1280px;height:50px"></div>
      <div style="position:absolute;left:0;top:400px;${lines('#0f0')}">Kept</div>
      <div id=host style="position:absolute;left:600px;top:30px"></div>
      <div id=low class=secret style="position:absolute;left:0;top:2500px;${lines('#f00')}"></div>
      <main style="position:absolute;left:40px;top:1500px;width:700px;height:1100px;background:#0f0">
        <p data-mask style="${lines('#f00')}">Low</p></main>
      <iframe style="position:absolute;left:650px;top:450px;border:9px solid;transform:scale(.8)" srcdoc='${inner}'></iframe>
      <iframe style="position:absolute;left:100px;top:550px;transform:rotate(30deg)" srcdoc='${inner}'></iframe>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<p class=secret style="${lines('#f00')}"></p>';
      Element.prototype.getClientRects = () => [];</script>`;
    await using site = await browserSite({ '/': page, '/blank': '<title>Blank</title>' }, masking);
    await masking.open(`${site.origin}/`, undefined, signal);
    await browser.open(`${site.origin}/`, undefined, signal);
    const plain = await picture(browser);
    const whole = await picture(masking);
    const main = await picture(masking, undefined, 'main');
    await masking.run('scrollTo(0, 2300)', signal);
    const low = await picture(masking);
    await masking.run('document.querySelector("main").remove()', signal);
    const part = await picture(masking, undefined, '#low');
    await browser.open(`${site.origin}/blank`, undefined, signal);
    expect(await shareOf(red, plain)).toBeGreaterThan(0.02);
    expect(await shareOf(green, plain)).toBeGreaterThan(0.008);
    for (const each of [whole, main, low, part]) expect(await shareOf(red, each)).toBe(0);
    expect(await shareOf(green, whole)).toBeGreaterThan(0.008);
    expect(main).toMatchObject({ width: 700, height: 1100 });
    expect(await shareOf(green, main)).toBeGreaterThan(0.8);
    expect(await masking.run('innerHeight', signal)).toMatchObject({ value: '800' });
  });

  it('is covered while it moves', async () => {
    const page = `<title>Moving</title><div class=secret style="${lines('#f00')};position:absolute" id=box></div>
      <script>let at = 0; (function move() { box.style.left = (at = (at + 7) % 900) + 'px'; requestAnimationFrame(move); })()</script>`;
    await using site = await browserSite({ '/': page, '/blank': '<title>Blank</title>' }, masking);
    await masking.open(`${site.origin}/`, undefined, signal);
    const seen = [await picture(masking), await picture(masking), await picture(masking)];
    await browser.open(`${site.origin}/blank`, undefined, signal);
    for (const each of seen) expect(await shareOf(red, each)).toBe(0);
  });

  it('lets no picture be taken while a selector is not valid, which is said once', async () => {
    const selectors = ['.fine', '[title="::"]', 'div['];
    const wrong = testBrowser(selectors);
    onTestFinished(() => wrong.close());
    await using site = await browserSite({ '/': shop('') }, wrong);
    const opened = await wrong.open(`${site.origin}/`, undefined, signal);
    expect(opened.notices).toEqual([
      expect.stringContaining('"div[" in the user\'s setting folio.browser.mask'),
    ]);
    await expect(picture(wrong)).rejects.toThrow('No pictures are taken');
    await expect(picture(wrong, undefined, 'h1')).rejects.toThrow('No pictures are taken');
    expect((await wrong.act([{ do: 'scroll' }], signal)).notices).toEqual([]);
    selectors[2] = '.price::after';
    const [notice] = (await wrong.act([{ do: 'scroll' }], signal)).notices;
    expect(notice).toContain('No pictures are taken: ".price::after"');
    selectors.pop();
    expect((await picture(wrong)).data).not.toBe('');
  });
});
