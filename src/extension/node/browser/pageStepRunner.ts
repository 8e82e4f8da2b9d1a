/* Performs steps of a user on a page, with the events that pages expect. */

import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserError, type PageStep } from '../../platform/browser/browser.ts';
import { parseKeystroke } from './keys.ts';
import type { PageElement, PageElements, SendCommand } from './pageElements.ts';

const readyMs = 3_000;
const waitMs = 10_000;
const interval = 100;

interface Point {
  readonly x: number;
  readonly y: number;
}

export class PageStepRunner {
  private readonly send: SendCommand;
  private readonly elements: PageElements;

  constructor(send: SendCommand, elements: PageElements) {
    this.send = send;
    this.elements = elements;
  }

  /** Rejects with a `BrowserError` that says why the step failed. */
  async take(step: PageStep, signal: AbortSignal): Promise<void> {
    const { text } = step;
    switch (step.do) {
      case 'click':
        return this.click(await this.elementOf(step), signal);
      case 'hover':
        return this.move(await this.ready(await this.elementOf(step), signal));
      case 'type':
        return this.type(await this.elementOf(step), text ?? '', signal);
      case 'select':
        return this.select(await this.elementOf(step), text ?? '');
      case 'upload':
        return this.upload(await this.elementOf(step), text ?? '');
      case 'press':
        if (step.at !== undefined) await this.focus(await this.elementOf(step));
        return this.press(text ?? '');
      case 'scroll':
        return this.scroll(step);
      case 'wait':
        return this.wait(step, signal);
      case 'accept':
        return;
    }
  }

  private elementOf({ do: kind, at }: PageStep): Promise<PageElement> {
    if (at === undefined)
      throw new BrowserError(`The step ${kind} needs "at": a reference of the outline or a CSS selector.`);
    return this.elements.find(at);
  }

  private async click(element: PageElement, signal: AbortSignal): Promise<void> {
    const point = await this.ready(element, signal);
    await this.move(point);
    const button = { ...point, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { ...button, type: 'mousePressed', buttons: 1 });
    await this.send('Input.dispatchMouseEvent', { ...button, type: 'mouseReleased', buttons: 0 });
  }

  private async move(point: Point): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { ...point, type: 'mouseMoved' });
  }

  /** Returns the middle of the element as soon as it can be clicked. */
  private async ready(element: PageElement, signal: AbortSignal): Promise<Point> {
    const end = performance.now() + readyMs;
    for (let before = ''; ; await sleep(interval)) {
      signal.throwIfAborted();
      await this.scrollTo(element);
      const { problem, place } = await this.elements.call<{ problem?: string; place: string }>(
        element,
        stateOf,
      );
      if (problem === undefined && place === before) return this.middleOf(element);
      if (performance.now() > end) throw new BrowserError(problem ?? 'The element does not stand still.');
      before = place;
    }
  }

  private async scrollTo({ backendNodeId }: PageElement): Promise<void> {
    try {
      await this.send('DOM.scrollIntoViewIfNeeded', { backendNodeId });
    } catch (error) {
      // The element has no box; its state tells why.
      if (!(error instanceof BrowserError)) throw error;
    }
  }

  private async middleOf({ backendNodeId }: PageElement): Promise<Point> {
    const { quads } = await this.send<{ quads: readonly (readonly number[])[] }>('DOM.getContentQuads', {
      backendNodeId,
    });
    const [quad] = quads;
    if (!quad) throw new BrowserError('The element is not visible.');
    const mean = (at: number) => (quad[at]! + quad[at + 2]! + quad[at + 4]! + quad[at + 6]!) / 4;
    return { x: mean(0), y: mean(1) };
  }

  private async type(element: PageElement, text: string, signal: AbortSignal): Promise<void> {
    await this.refusePassword({ backendNodeId: element.backendNodeId });
    await this.ready(element, signal);
    const kind = await this.elements.call<string>(element, selectContent, text);
    if (kind === 'set') return;
    if (kind !== 'typed') throw new BrowserError(kind);
    if (text === '') await this.press('Delete');
    else await this.send('Input.insertText', { text });
  }

  /** Reads the document through the protocol, which scripts of the page cannot falsify. */
  private async refusePassword(
    of: { readonly backendNodeId: number } | { readonly objectId: string },
  ): Promise<void> {
    const { node } = await this.send<{ node: { attributes?: readonly string[] } }>('DOM.describeNode', of);
    const attributes = node.attributes ?? [];
    const at = attributes.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'type');
    if (at >= 0 && attributes[at + 1]?.toLowerCase() === 'password')
      throw new BrowserError('Password fields are not filled by the model. Ask the user how to go on.');
  }

  private async select(element: PageElement, text: string): Promise<void> {
    const problem = await this.elements.call<string | null>(element, selectOption, text);
    if (problem !== null) throw new BrowserError(problem);
  }

  private async upload({ backendNodeId }: PageElement, path: string): Promise<void> {
    try {
      await this.send('DOM.setFileInputFiles', { files: [path], backendNodeId });
    } catch (error) {
      if (!(error instanceof BrowserError)) throw error;
      throw new BrowserError(`The element takes no file. ${error.message}`);
    }
  }

  private async focus({ backendNodeId }: PageElement): Promise<void> {
    await this.send('DOM.focus', { backendNodeId });
  }

  private async press(text: string): Promise<void> {
    const key = parseKeystroke(text);
    if (key.text !== undefined && key.key.length === 1) await this.refuseFocusedPassword();
    await this.send('Input.dispatchKeyEvent', {
      ...key,
      type: key.text === undefined ? 'rawKeyDown' : 'keyDown',
    });
    await this.send('Input.dispatchKeyEvent', { ...key, text: undefined, type: 'keyUp' });
  }

  private async refuseFocusedPassword(): Promise<void> {
    const { result } = await this.send<{ result: { objectId?: string; subtype?: string } }>(
      'Runtime.evaluate',
      {
        expression: 'document.activeElement',
      },
    );
    if (result.objectId !== undefined && result.subtype === 'node')
      await this.refusePassword({ objectId: result.objectId });
  }

  private async scroll({ at, text }: PageStep): Promise<void> {
    if (at !== undefined) return this.scrollTo(await this.elements.find(at));
    const share = text === 'up' ? -0.8 : 0.8;
    await this.send('Runtime.evaluate', { expression: `window.scrollBy(0, ${share} * innerHeight)` });
  }

  private async wait({ at, text }: PageStep, signal: AbortSignal): Promise<void> {
    if (at === undefined && text === undefined) return;
    const end = performance.now() + waitMs;
    while (!(await this.isThere(at, text))) {
      signal.throwIfAborted();
      if (performance.now() > end) {
        const seconds = waitMs / 1000;
        throw new BrowserError(
          `${text === undefined ? at : JSON.stringify(text)} did not appear within ${seconds} s.`,
        );
      }
      await sleep(interval);
    }
  }

  private async isThere(at: string | undefined, text: string | undefined): Promise<boolean> {
    if (at !== undefined) {
      const found = await this.elements.find(at).catch(error => {
        if (error instanceof BrowserError) return undefined;
        throw error;
      });
      if (!found) return false;
    }
    if (text === undefined) return true;
    const { result } = await this.send<{ result: { value?: unknown } }>('Runtime.evaluate', {
      expression: `document.body?.innerText.includes(${JSON.stringify(text)})`,
      returnByValue: true,
    });
    return result.value === true;
  }
}

/* Functions evaluated in the page. */

const stateOf = `function () {
  const { x, y, width, height } = this.getBoundingClientRect();
  const place = [x, y, width, height].join(' ');
  if (width === 0 || height === 0 || getComputedStyle(this).visibility === 'hidden')
    return { problem: 'The element is not visible.', place };
  if (this.matches(':disabled')) return { problem: 'The element is disabled.', place };
  const hit = this.getRootNode().elementFromPoint(x + width / 2, y + height / 2);
  if (hit === null) return { problem: 'The element lies outside of the view.', place };
  for (let each = hit; each; each = each.parentNode || each.host) if (each === this) return { place };
  if (this.contains(hit)) return { place };
  if (hit.closest('label')?.control === this || (hit.matches('a, button, label') && hit.contains(this))) return { place };
  const name = hit.tagName.toLowerCase() + (hit.id ? '#' + hit.id : hit.className ? '.' + String(hit.className).split(' ')[0] : '');
  return { problem: 'The element is covered by ' + name.slice(0, 80) + '.', place };
}`;

const selectContent = `function (text) {
  if (this.isContentEditable) {
    this.focus();
    getSelection().selectAllChildren(this);
    return 'typed';
  }
  if (!this.matches('input, textarea')) return 'The element takes no text.';
  if (this.readOnly) return 'The field is read-only.';
  if (this.matches('[type=checkbox], [type=radio], [type=file], [type=button], [type=submit]'))
    return 'The field takes no text. Click it instead.';
  this.focus();
  if (this.matches('[type=date], [type=time], [type=month], [type=week], [type=datetime-local], [type=color], [type=range]')) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(this, text);
    this.dispatchEvent(new Event('input', { bubbles: true }));
    this.dispatchEvent(new Event('change', { bubbles: true }));
    return this.value === '' && text !== '' ? 'The field does not take ' + text + '.' : 'set';
  }
  this.select();
  return 'typed';
}`;

const selectOption = `function (text) {
  if (!this.matches('select')) return 'The element is no list of options. Click it instead.';
  if (this.disabled) return 'The element is disabled.';
  const options = [...this.options];
  const found = options.find(each => each.label.trim() === text || each.value === text);
  if (!found) return 'There is no option ' + text + '. There are: ' + options.slice(0, 30).map(each => each.label.trim()).join(', ');
  found.selected = true;
  this.dispatchEvent(new Event('input', { bubbles: true }));
  this.dispatchEvent(new Event('change', { bubbles: true }));
  return null;
}`;
