/*
 * Selects the external tools (of servers, extensions and user commands) to declare, since every request carries all
 * declarations. Beyond a limit, the model only gets `find_tools` and searches for others:
 *
 *   few:      all are declared
 *   many:     declares find_tools, the tools that it found, and those already called
 *   by code:  declares no tools of servers; scripts call them, and find_tools returns their signatures
 *
 * The declarations are part of the cached prefix. So found tools stay until new ones need their space, which changes
 * the prefix anyway; then the longest unused ones are dropped.
 */

import { declareTool } from '../calls/declarations.ts';
import { estimateText } from '../context/tokens.ts';
import type { AnyTool } from '../tool.ts';
import { findTools } from './findTools.ts';
import type { ScriptCallMode } from './scriptCallMode.ts';
import { scriptFunctions } from './signatures.ts';

export interface ForeignToolLimits {
  /** Maximum number of tools; 0: no limit. */
  readonly tools: number;
  /** Maximum tokens of declarations; 0: only limited by the context. */
  readonly tokens: number;
  /** Context size of the working model in tokens. */
  readonly context: number;
}

/** An external tool with a JSON Schema of its own. */
interface ForeignTool extends AnyTool {
  /** The same tool, always declared. */
  readonly always: AnyTool;
}

/** Replaces the tool for subagents, which write no scripts. */
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
  /** The tools, with those that find or call them. */
  readonly whole: readonly AnyTool[];
}

const nothing: Measured = { tools: 0, tokens: 0, bytes: 0 };

/** Maximum share of the context for declarations, regardless of settings. */
const contextShare = 0.1;

export class ForeignTools {
  private readonly given: () => readonly AnyTool[];
  private readonly isForbidden: (tool: AnyTool) => boolean;
  private readonly limits: () => ForeignToolLimits;
  private readonly called: () => readonly string[];
  private readonly byCode: ScriptCallMode | undefined;
  /** Names of found or called tools, the newest last; undefined before the first list. */
  private wanted: Set<string> | undefined;
  private readonly sizes = new WeakMap<AnyTool, Measured>();
  private made: Made | undefined;
  private foreign: readonly ForeignTool[] = [];
  private isByCode = false;
  /** Sizes of all tools, and of those not called by scripts. */
  private all = nothing;
  private beside = nothing;

  /**
   * @param given all external tools, read before each request
   * @param isForbidden tells that no call of it could run now, so that it is not found
   * @param called names of all calls in the session, oldest first; read once
   * @param byCode absent: scripts cannot call them
   */
  constructor(
    given: () => readonly AnyTool[],
    isForbidden: (tool: AnyTool) => boolean,
    limits: () => ForeignToolLimits,
    called: () => readonly string[],
    byCode?: ScriptCallMode,
  ) {
    this.given = given;
    this.isForbidden = isForbidden;
    this.limits = limits;
    this.called = called;
    this.byCode = byCode;
  }

  /**
   * Returns the same list for the same tools. It includes hidden ones, since tools offered earlier can still be called.
   */
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

  /** Drops the longest unused declarations that do not fit next to the new ones. */
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

/** Returns the tool that a subagent gets instead. */
export function toSubagentTool(tool: AnyTool): AnyTool {
  return 'forAgents' in tool ? (tool as AnyTool & ForAgents).forAgents : tool;
}

/** True if scripts may call it as a function. VS Code's tools ask in its window, so they are called directly. */
function isOfServer({ of, schema }: AnyTool): boolean {
  return of !== undefined && of.server !== 'vscode' && schema !== undefined;
}

function measureJson(json: string): Measured {
  return { tools: 1, tokens: estimateText(json), bytes: new TextEncoder().encode(json).length };
}

function newestLast(names: readonly string[]): Set<string> {
  return new Set([...new Set(names.toReversed())].toReversed());
}
