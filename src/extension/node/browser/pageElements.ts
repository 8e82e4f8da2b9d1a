import { textSimilarity } from '../../base/similarity.ts';
import { BrowserError } from '../../platform/browser/browser.ts';
import { type AxNode, formatPageOutline } from './outline.ts';

export type SendCommand = <Result = unknown>(method: string, params?: object) => Promise<Result>;

export interface PageElement {
  readonly backendNodeId: number;
  readonly objectId: string;
}

interface Known {
  readonly backendNodeId: number;
  readonly document: number;
  words: string;
}

/** A larger tree is too much for a model and takes too long. */
const maxElements = 20_000;
const maxFrames = 10;

/** The result of `Page.getFrameTree`. */
export interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

export class PageElements {
  private readonly send: SendCommand;
  /** Number of the current document, because nodes of other documents may have the same ids. */
  private document = 0;
  private readonly refs = new Map<string, string>();
  private readonly known = new Map<string, Known>();
  private shown: ReadonlySet<string> = new Set();

  constructor(send: SendCommand) {
    this.send = send;
  }

  leaveDocument(): void {
    this.document++;
    this.shown = new Set();
  }

  /** Rejects if the whole page is too large. */
  async outline(at?: string): Promise<readonly string[]> {
    const element = at === undefined ? undefined : await this.find(at);
    await this.checkSize(element);
    const shown = new Set<string>();
    const refOf = (backendNodeId: number, words: string) => {
      const ref = this.refOf(backendNodeId, words);
      shown.add(ref);
      return ref;
    };
    const nodes = element ? await this.nodesBelow(element) : await this.nodesOf();
    const lines = formatPageOutline(nodes, refOf, element ? undefined : await this.frames());
    if (!element) this.shown = shown;
    return lines;
  }

  /** Rejects with a message that tells the model what to name instead. */
  async find(at: string): Promise<PageElement> {
    const backendNodeId = /^e\d+$/.test(at) ? this.numberOf(at) : await this.select(at);
    try {
      const { object } = await this.send<{ object: { objectId: string } }>('DOM.resolveNode', {
        backendNodeId,
      });
      const element = { backendNodeId, objectId: object.objectId };
      if (await this.call<boolean>(element, 'function () { return this.isConnected; }')) return element;
    } catch (error) {
      if (!(error instanceof BrowserError)) throw error;
    }
    throw this.gone(at);
  }

  /** Calls a JavaScript function of the page on an element. */
  async call<Value>(element: PageElement, code: string, ...args: readonly unknown[]): Promise<Value> {
    const { objectId } = element;
    const { result, exceptionDetails } = await this.send<EvaluationResult>('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: code,
      arguments: args.map(value => ({ value })),
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new BrowserError(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as Value;
  }

  private async checkSize(element: PageElement | undefined): Promise<void> {
    const counted = element
      ? await this.call<number>(element, 'function () { return this.getElementsByTagName("*").length; }')
      : (
          await this.send<EvaluationResult>('Runtime.evaluate', {
            expression: 'document.getElementsByTagName("*").length',
            returnByValue: true,
          })
        ).result.value;
    if (Number(counted) > maxElements)
      throw new BrowserError(
        `It has ${counted} elements, more than the ${maxElements} of which an outline is made. Name a part of it with a CSS selector.`,
      );
  }

  private async nodesOf(frameId?: string): Promise<readonly AxNode[]> {
    const { nodes } = await this.send<{ nodes: readonly AxNode[] }>('Accessibility.getFullAXTree', {
      frameId,
    });
    return nodes;
  }

  private async nodesBelow({ backendNodeId }: PageElement): Promise<readonly AxNode[]> {
    const { nodes } = await this.send<{ nodes: readonly AxNode[] }>('Accessibility.queryAXTree', {
      backendNodeId,
    });
    return nodes;
  }

  private async frames(): Promise<ReadonlyMap<number, readonly AxNode[]>> {
    const { frameTree } = await this.send<{ frameTree: FrameTree }>('Page.getFrameTree');
    const found = new Map<number, readonly AxNode[]>();
    for (const frameId of framesOf(frameTree).slice(0, maxFrames)) {
      try {
        const owner = await this.send<{ backendNodeId: number }>('DOM.getFrameOwner', { frameId });
        found.set(owner.backendNodeId, await this.nodesOf(frameId));
      } catch (error) {
        // The frame may be gone.
        if (!(error instanceof BrowserError)) throw error;
      }
    }
    return found;
  }

  private refOf(backendNodeId: number, words: string): string {
    const key = `${this.document}:${backendNodeId}`;
    const ref = this.refs.get(key) ?? `e${this.known.size + 1}`;
    this.refs.set(key, ref);
    this.known.set(ref, { backendNodeId, document: this.document, words });
    return ref;
  }

  private numberOf(ref: string): number {
    const known = this.known.get(ref);
    if (known?.document !== this.document) throw this.gone(ref);
    return known.backendNodeId;
  }

  private async select(selector: string): Promise<number> {
    const { root } = await this.send<{ root: { nodeId: number } }>('DOM.getDocument', { depth: 0 });
    const { nodeId } = await this.send<{ nodeId: number }>('DOM.querySelector', {
      nodeId: root.nodeId,
      selector,
    });
    if (nodeId === 0) throw new BrowserError(`Nothing on the page matches ${selector}.`);
    const { node } = await this.send<{ node: { backendNodeId: number } }>('DOM.describeNode', { nodeId });
    return node.backendNodeId;
  }

  private gone(at: string): BrowserError {
    const words = this.known.get(at)?.words;
    if (words === undefined) return new BrowserError(`There is no element ${at} in the outline.`);
    const near = [...this.shown]
      .filter(ref => ref !== at)
      .map(ref => ({ ref, words: this.known.get(ref)?.words ?? '' }))
      .sort((one, other) => textSimilarity(other.words, words) - textSimilarity(one.words, words))
      .slice(0, 3)
      .map(each => `${each.words} [${each.ref}]`);
    const nearest = near.length > 0 ? ` Nearest in the newest outline: ${near.join(', ')}.` : '';
    return new BrowserError(`${at} (${words}) is no longer on the page.${nearest}`);
  }
}

/** All frames of a page, parents before children. */
export function framesOf(tree: FrameTree): readonly string[] {
  return (tree.childFrames ?? []).flatMap(child => [child.frame.id, ...framesOf(child)]);
}

export interface EvaluationResult {
  readonly result: { readonly value?: unknown; readonly description?: string; readonly type: string };
  readonly exceptionDetails?: {
    readonly text: string;
    readonly exception?: { readonly description?: string; readonly value?: unknown };
  };
}
