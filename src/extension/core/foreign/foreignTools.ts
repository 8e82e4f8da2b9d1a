/*
 * Tools of others (servers, extensions, commands of the person) may be many, and every request carries all that is
 * declared. From a number on, the model is told of `find_tools` alone, and looks for those that it needs:
 *
 *   few:   declared are all
 *   many:  declared are find_tools, what it found, and what was called
 *
 * What stands in the list is the cache's prefix. So what was found stays until it would no longer fit beside what is
 * found next: that changes the list anyway, and then those go that were not called for longest.
 */

import { declareTool } from '../calls/declarations.ts';
import { estimateText } from '../context/tokens.ts';
import type { AnyTool } from '../tool.ts';
import { findTools } from './findTools.ts';

export interface ForeignLimits {
  /** So many tools are too many; 0: never. */
  readonly tools: number;
  /** So many tokens of declarations are too many; 0: only where they would fill much of the context. */
  readonly tokens: number;
  /** Tokens that fit into a request of the model that works. */
  readonly context: number;
}

/** Others describe it, so that its arguments have a schema of their own. */
interface ForeignTool extends AnyTool {
  /** The same tool, always declared. */
  readonly always: AnyTool;
}

interface Measured {
  readonly tools: number;
  readonly tokens: number;
}

/** The share of the context that declarations may take, whatever the person allows. */
const contextShare = 0.1;

export class ForeignTools {
  private readonly given: () => readonly AnyTool[];
  private readonly isForbidden: (tool: AnyTool) => boolean;
  private readonly limits: () => ForeignLimits;
  private readonly called: () => readonly string[];
  /** Names of what was found or called, the newest last; unknown before a list was asked for. */
  private wanted: Set<string> | undefined;
  private readonly sizes = new WeakMap<AnyTool, number>();
  private made: { readonly of: readonly AnyTool[]; readonly list: readonly AnyTool[] } | undefined;
  private foreign: readonly ForeignTool[] = [];
  private all: Measured = { tools: 0, tokens: 0 };

  /**
   * @param given all that there is, asked before each request
   * @param isForbidden no call of it could run now, so that nobody looks for it
   * @param called names of all that was called in the session so far, oldest first; asked once
   */
  constructor(
    given: () => readonly AnyTool[],
    isForbidden: (tool: AnyTool) => boolean,
    limits: () => ForeignLimits,
    called: () => readonly string[],
  ) {
    this.given = given;
    this.isForbidden = isForbidden;
    this.limits = limits;
    this.called = called;
  }

  /** The same list as long as the same is given. All are in it: what was on offer a moment ago can still be called. */
  readonly list = (): readonly AnyTool[] => {
    this.wanted ??= newestLast(this.called());
    const of = this.given();
    const { made } = this;
    if (made?.of.length !== of.length || of.some((tool, at) => tool !== made.of[at])) {
      const list = of.map(tool => (tool.schema === undefined ? tool : this.hideable(tool)));
      this.made = { of, list: [...list, this.find] };
    }
    const { list } = this.made!;
    this.foreign = list.filter(isForeign).filter(tool => !this.isForbidden(tool));
    this.all = this.measure(this.foreign);
    return list;
  };

  private readonly find = findTools({
    tools: () => this.foreign,
    isOffered: () => this.isTooMuch(this.all),
    found: names => this.declareFound(names),
  });

  private hideable(tool: AnyTool): ForeignTool {
    const { name } = tool;
    const offered = () => tool.isOffered?.() ?? true;
    return {
      ...tool,
      always: tool,
      isOffered: () => offered() && (!this.isTooMuch(this.all) || this.isWanted(name)),
      prepare: (input, call) => {
        this.want(name);
        return tool.prepare(input, call);
      },
    };
  }

  private isWanted(name: string): boolean {
    return this.wanted?.has(name) ?? false;
  }

  private want(name: string): void {
    this.wanted?.delete(name);
    this.wanted?.add(name);
  }

  /** Declarations that do not fit beside these go, the longest unused first. */
  private declareFound(names: readonly string[]): void {
    for (const name of names) this.want(name);
    for (const name of this.wanted ?? []) {
      const declared = this.foreign.filter(tool => this.isWanted(tool.name));
      if (names.includes(name) || !this.isTooMuch(this.measure(declared))) return;
      this.wanted?.delete(name);
    }
  }

  private isTooMuch({ tools, tokens }: Measured): boolean {
    const limits = this.limits();
    if (limits.tools > 0 && tools >= limits.tools) return true;
    return (limits.tokens > 0 && tokens >= limits.tokens) || tokens > limits.context * contextShare;
  }

  private measure(tools: readonly ForeignTool[]): Measured {
    return { tools: tools.length, tokens: tools.reduce((sum, { always }) => sum + this.sizeOf(always), 0) };
  }

  private sizeOf(tool: AnyTool): number {
    const known = this.sizes.get(tool) ?? estimateText(JSON.stringify(declareTool(tool)));
    this.sizes.set(tool, known);
    return known;
  }
}

export function isForeign(tool: AnyTool): tool is ForeignTool {
  return 'always' in tool;
}

function newestLast(names: readonly string[]): Set<string> {
  return new Set([...new Set(names.toReversed())].toReversed());
}
