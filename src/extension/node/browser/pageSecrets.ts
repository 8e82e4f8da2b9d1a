/*
 * Masks passwords and codes that the user typed into a page: in results as text, in screenshots by covering their
 * fields.
 */

import { BrowserError } from '../../platform/browser/browser.ts';
import { type FrameTree, framesOf, type PageElements, type SendCommand } from './pageElements.ts';

/** Returns the focused field if it takes a secret. Evaluated in an isolated world. */
const focusedField = `(() => {
  let each = document.activeElement;
  while (each?.shadowRoot?.activeElement) each = each.shadowRoot.activeElement;
  return each?.matches('input[type=password], input[autocomplete~="one-time-code"]') ? each : null;
})()`;
/** Returns the fields that are filled, also in open shadow trees. */
const filledFields = `(() => {
  const roots = [document], found = [];
  for (const root of roots) {
    for (const each of root.querySelectorAll('*')) if (each.shadowRoot) roots.push(each.shadowRoot);
    found.push(...root.querySelectorAll('input[type=password], input[autocomplete~="one-time-code"]'));
  }
  return found.filter(each => each.value !== '').slice(0, 20);
})()`;
const maxFrames = 10;
/** Masking a shorter secret would mask parts of ordinary words. */
const shortest = 4;

export class PageSecrets {
  private readonly send: SendCommand;
  private readonly elements: PageElements;
  /** By the node id of the field, which the browser never reuses. */
  private readonly typed = new Map<number, string>();

  constructor(send: SendCommand, elements: PageElements) {
    this.send = send;
    this.elements = elements;
  }

  /** Node ids of the fields. */
  get fields(): readonly number[] {
    return [...this.typed.keys()];
  }

  /**
   * Reads the fields while the user types. A field stays known even if the page changes its type.
   *
   * @param more text about to be typed into the focused field, after which the page may be gone
   */
  async note(more = ''): Promise<void> {
    const focused = await this.findFocused();
    if (focused !== undefined) this.typed.set(focused, this.typed.get(focused) ?? '');
    for (const [field, before] of this.typed) this.typed.set(field, (await this.valueOf(field)) ?? before);
    if (focused !== undefined) this.typed.set(focused, `${this.typed.get(focused) ?? ''}${more}`);
  }

  /** Reads the fields that the user filled without Folio. */
  async noteFilled(): Promise<void> {
    const { frameTree } = await this.send<{ frameTree: FrameTree }>('Page.getFrameTree');
    for (const frameId of [frameTree.frame.id, ...framesOf(frameTree)].slice(0, maxFrames)) {
      const found = (await this.known(() => this.findFilled(frameId))) ?? [];
      for (const field of found) this.typed.set(field, this.typed.get(field) ?? '');
    }
    for (const [field, before] of this.typed) this.typed.set(field, (await this.valueOf(field)) ?? before);
  }

  hide(text: string): string {
    let shown = text;
    for (const secret of this.spellings) shown = shown.replaceAll(secret, '[hidden]');
    return shown;
  }

  /** Keeps the host, because the policy depends on it. */
  hideInAddress(address: string): string {
    if (this.typed.size === 0 || !URL.canParse(address)) return address;
    const { origin } = new URL(address);
    return address.startsWith(origin) ? `${origin}${this.hide(address.slice(origin.length))}` : address;
  }

  /** Masks all texts of a result, except picture data. */
  hideIn<Value>(value: Value): Value {
    return this.typed.size === 0 ? value : (this.without(value) as Value);
  }

  private without(value: unknown): unknown {
    if (typeof value === 'string') return this.hide(value);
    if (Array.isArray(value)) return value.map(each => this.without(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        withoutSecrets.has(name) ? each : this.without(each),
      ]),
    );
  }

  /** The encodings used in texts, addresses and forms, longest first. */
  private get spellings(): readonly string[] {
    const long = [...this.typed.values()].filter(({ length }) => length >= shortest);
    const all = long.flatMap(secret => [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ s: secret }).toString().slice('s='.length),
      JSON.stringify(secret).slice(1, -1),
    ]);
    return [...new Set(all)].toSorted((one, other) => other.length - one.length);
  }

  private async findFocused(): Promise<number | undefined> {
    const { frameTree } = await this.send<{ frameTree: FrameTree }>('Page.getFrameTree');
    for (const frameId of [frameTree.frame.id, ...framesOf(frameTree)].slice(0, maxFrames)) {
      const found = await this.known(() => this.findIn(frameId));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private async findIn(frameId: string): Promise<number | undefined> {
    const objectId = await this.evaluateIn(frameId, focusedField);
    return objectId === undefined ? undefined : this.nodeOf(objectId);
  }

  private async findFilled(frameId: string): Promise<readonly number[]> {
    const objectId = await this.evaluateIn(frameId, filledFields);
    const { result } = await this.send<{ result: readonly OwnProperty[] }>('Runtime.getProperties', {
      objectId,
      ownProperties: true,
    });
    const fields = result.flatMap(({ value }) => (value?.subtype === 'node' ? [value.objectId] : []));
    return Promise.all(fields.map(each => this.nodeOf(each)));
  }

  /** Returns the object id of the expression's value, evaluated in an isolated world. */
  private async evaluateIn(frameId: string, expression: string): Promise<string | undefined> {
    const { executionContextId: contextId } = await this.send<{ executionContextId: number }>(
      'Page.createIsolatedWorld',
      { frameId, worldName: 'folio' },
    );
    const { result } = await this.send<{ result: { objectId?: string } }>('Runtime.evaluate', {
      expression,
      contextId,
    });
    return result.objectId;
  }

  private async nodeOf(objectId: string): Promise<number> {
    const { node } = await this.send<{ node: { backendNodeId: number } }>('DOM.describeNode', { objectId });
    return node.backendNodeId;
  }

  private async valueOf(backendNodeId: number): Promise<string | undefined> {
    return this.known(async () => {
      const { object } = await this.send<{ object: { objectId: string } }>('DOM.resolveNode', {
        backendNodeId,
      });
      const element = { backendNodeId, objectId: object.objectId };
      const value = await this.elements.call<unknown>(element, 'function () { return this.value; }');
      return typeof value === 'string' && value !== '' ? value : undefined;
    });
  }

  /** Resolves to `undefined` if the document or the field is gone. */
  private async known<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof BrowserError) return undefined;
      throw error;
    }
  }
}

interface OwnProperty {
  readonly value?: { readonly subtype?: string; readonly objectId: string };
}

const withoutSecrets: ReadonlySet<string> = new Set(['data', 'kind', 'mimeType']);
