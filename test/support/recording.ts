import type { Page } from 'playwright-core';

/** About a second, red and then blue, as a program that records the screen writes it: without its length. */
export async function record(page: Pick<Page, 'evaluate'>): Promise<Buffer> {
  const data = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 320;
    canvas.height = 240;
    const pen = canvas.getContext('2d')!;
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm;codecs=vp8' });
    const pieces: Blob[] = [];
    recorder.ondataavailable = event => pieces.push(event.data);
    const stopped = new Promise(resolve => (recorder.onstop = resolve));
    recorder.start();
    const begunAt = performance.now();
    await new Promise<void>(resolve => {
      const paint = () => {
        const time = performance.now() - begunAt;
        pen.fillStyle = time < 500 ? '#f00' : '#00f';
        pen.fillRect(0, 0, 320, 240);
        if (time < 1200) requestAnimationFrame(paint);
        else resolve();
      };
      paint();
    });
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  });
  return Buffer.from(data, 'base64');
}
