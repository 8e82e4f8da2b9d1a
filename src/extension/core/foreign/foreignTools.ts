/*
 * Tools of others (servers, extensions, commands of the user) may be many, and every request carries all that is
 * declared. From a number on, the model is told of `find_tools` alone, and looks for those that it needs:
 *
 *   few:      declared are all
 *   many:     declared are find_tools, what it found, and what was called
 *   by code:  of servers' tools none; a script calls them, and find_tools tells their signatures
 *
 * What stands in the list is the cache's prefix. So what was found stays until it would no longer fit beside what is
 * found next: that changes the list anyway, and then those go that were not called for longest.
 */

import { declareTool } from '../calls/declarations.ts';
import { estimateText } from '../context/tokens.ts';
import type { AnyTool } from '../tool.ts';
import type { ByCode } from './byCode.ts';
import { findTools } from './findTools.ts';
import { scriptFunctions } from './signatures.ts';

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

/** An agent that is sent out writes no scripts: it gets this one in place of the tool. */
interface ForAgents {
  readonly forAgents: AnyTool;
}

interface Measured {
  readonly tools: number;
  readonly tokens: number;
  readonly bytes: number;
}

interface Made {
  readonly of: readonly AnyTool[];
  readonly list: readonly AnyTool[];
  /** With what finds or calls them. */
  readonly whole: readonly AnyTool[];
}

const nothing: Measured = { tools: 0, tokens: 0, bytes: 0 };

/** The share of the context that declarations may take, whatever the user allows. */
const contextShare = 0.1;

export class ForeignTools {
  private readonly given: () => readonly AnyTool[];
  private readonly isForbidden: (tool: AnyTool) => boolean;
  private readonly limits: () => ForeignLimits;
  private readonly called: () => readonly string[];
  private readonly byCode: ByCode | undefined;
  /** Names of what was found or called, the newest last; unknown before a list was asked for. */
  private wanted: Set<string> | undefined;
  private readonly sizes = new WeakMap<AnyTool, Measured>();
  private made: Made | undefined;
  private foreign: readonly ForeignTool[] = [];
  private isByCode = false;
  /** All of them, and those that no script calls. */
  private all = nothing;
  private beside = nothing;

  /**
   * @param given all that there is, asked before each request
   * @param isForbidden no call of it could run now, so that nobody looks for it
   * @param called names of all that was called in the session so far, oldest first; asked once
   * @param byCode absent: no script can call them
   */
  constructor(
    given: () => readonly AnyTool[],
    isForbidden: (tool: AnyTool) => boolean,
    limits: () => ForeignLimits,
    called: () => readonly string[],
    byCode?: ByCode,
  ) {
    this.given = given;
    this.isForbidden = isForbidden;
    this.limits = limits;
    this.called = called;
    this.byCode = byCode;
  }

  /** The same list as long as the same is given. All are in it: what was on offer a moment ago can still be called. */
  readonly list = (): readonly AnyTool[] => {
    this.wanted ??= newestLast(this.called());
    const of = this.given();
    const { made } = this;
    if (made?.of.length !== of.length || of.some((tool, at) => tool !== made.of[at])) {
      const list = of.map(tool => (tool.schema === undefined ? tool : this.hideable(tool)));
      this.made = { of, list, whole: list };
    }
    const { list } = this.made!;
    this.foreign = list.filter(isForeign).filter(tool => !this.isForbidden(tool));
    const ofServers = this.foreign.filter(isOfServer);
    this.all = this.measure(this.foreign);
    this.isByCode = this.byCode?.isOn(this.measure(ofServers).bytes) ?? false;
    if (!this.isByCode) return this.withTools([this.find]);
    this.beside = this.measure(this.foreign.filter(tool => !isOfServer(tool)));
    return this.withTools([this.findForCode, this.byCode!.toolOf(ofServers.map(({ always }) => always))]);
  };

  private withTools(more: readonly AnyTool[]): readonly AnyTool[] {
    const { list, whole } = this.made!;
    const isSame =
      whole.length === list.length + more.length &&
      more.every((tool, at) => tool === whole[list.length + at]);
    if (!isSame) this.made = { ...this.made!, whole: [...list, ...more] };
    return this.made!.whole;
  }

  private readonly find = findTools({
    tools: () => this.foreign,
    isOffered: () => this.isTooMuch(this.all),
    found: names => this.declareFound(names),
  });

  private readonly findForCode: AnyTool & ForAgents = {
    ...findTools({
      tools: () => this.foreign,
      functions: () => scriptFunctions(this.foreign.filter(isOfServer)),
      isOffered: () => true,
      found: names => this.declareFound(names),
    }),
    forAgents: this.find,
  };

  private hideable(tool: AnyTool): ForeignTool & ForAgents {
    const { name } = tool;
    const isFound = (measured: Measured) => !this.isTooMuch(measured) || this.isWanted(name);
    const offered = (isOne: () => boolean) => () => (tool.isOffered?.() ?? true) && isOne();
    const prepare: AnyTool['prepare'] = (input, call) => {
      this.want(name);
      return tool.prepare(input, call);
    };
    const forAgents = { ...tool, prepare, isOffered: offered(() => isFound(this.all)) };
    const isOne = () => (this.isByCode ? !isOfServer(tool) && isFound(this.beside) : isFound(this.all));
    return { ...tool, prepare, always: tool, forAgents, isOffered: offered(isOne) };
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
    const sizes = tools.map(({ always }) => this.sizeOf(always));
    return sizes.reduce(
      (sum, each) => ({
        tools: sum.tools + 1,
        tokens: sum.tokens + each.tokens,
        bytes: sum.bytes + each.bytes,
      }),
      nothing,
    );
  }

  private sizeOf(tool: AnyTool): Measured {
    const known = this.sizes.get(tool) ?? measureJson(JSON.stringify(declareTool(tool)));
    this.sizes.set(tool, known);
    return known;
  }
}

export function isForeign(tool: AnyTool): tool is ForeignTool {
  return 'always' in tool;
}

/** Returns what an agent that is sent out gets in place of a tool. */
export function forAgents(tool: AnyTool): AnyTool {
  return 'forAgents' in tool ? (tool as AnyTool & ForAgents).forAgents : tool;
}

/** True if a script may call it as a function. VS Code's tools ask in its window, so they are called one by one. */
function isOfServer({ of, schema }: AnyTool): boolean {
  return of !== undefined && of.server !== 'vscode' && schema !== undefined;
}

function measureJson(json: string): Measured {
  return { tools: 1, tokens: estimateText(json), bytes: new TextEncoder().encode(json).length };
}

function newestLast(names: readonly string[]): Set<string> {
  return new Set([...new Set(names.toReversed())].toReversed());
}
