/* Composes requests to the model from the history, the system prompt and the available tools. */

import type { Message, SessionEvent } from '../../../protocol/events.ts';
import { declareTool } from '../calls/declarations.ts';
import { ResultMasking, type ResultMaskingPorts } from '../context/resultMasking.ts';
import type { History } from '../history/history.ts';
import type { ModelRequest, ToolDeclaration } from '../model.ts';
import type { AnyTool } from '../tool.ts';

export class RequestComposer {
  /** Tools by name, including ones offered earlier, which a model may still call. */
  readonly known: ReadonlyMap<string, AnyTool>;
  private readonly history: History;
  private own: readonly AnyTool[];
  private readonly isForbidden: (tool: AnyTool) => boolean;
  private readonly more: () => readonly AnyTool[];
  private readonly everOffered: Map<string, AnyTool>;
  private readonly masking: ResultMasking;
  /** Queue for masking, which takes one call at a time. */
  private masked: Promise<readonly Message[]> = Promise.resolve([]);
  private declared:
    | { readonly tools: readonly AnyTool[]; readonly list: readonly ToolDeclaration[] }
    | undefined;
  private sent: ModelRequest | undefined;

  /**
   * @param isForbidden tells that no call of the tool could run now, which hides it from the model
   * @param more tools that come and go, read before each request
   */
  constructor(
    history: History,
    own: readonly AnyTool[],
    ports: ResultMaskingPorts,
    isForbidden: (tool: AnyTool) => boolean,
    more: () => readonly AnyTool[] = () => [],
  ) {
    this.history = history;
    this.own = own;
    this.isForbidden = isForbidden;
    this.more = more;
    this.everOffered = new Map(own.map(tool => [tool.name, tool]));
    this.known = this.everOffered;
    this.masking = new ResultMasking(ports);
  }

  /** Adds a built-in tool. */
  add(tool: AnyTool): void {
    this.own = [...this.own, tool];
    this.everOffered.set(tool.name, tool);
  }

  /** The latest request in this run of the host. */
  get newest(): ModelRequest | undefined {
    return this.sent;
  }

  /** All current tools, offered to the model or not. */
  get present(): readonly AnyTool[] {
    const own = new Set(this.own.map(({ name }) => name));
    // Built-in tools take precedence over external ones of the same name.
    const added = this.more().filter(({ name }) => !own.has(name));
    for (const tool of added) this.everOffered.set(tool.name, tool);
    return [...this.own, ...added];
  }

  /** Tools that the model may use now, by name. */
  get offered(): ReadonlyMap<string, AnyTool> {
    return new Map(this.present.filter(tool => this.isOffered(tool)).map(tool => [tool.name, tool]));
  }

  /** Tells whether the model may now use a tool with this effect. */
  offers(effect: AnyTool['effect']): boolean {
    return this.present.some(tool => tool.effect === effect && this.isOffered(tool));
  }

  /** Returns the history with old, long results masked, message by message. Never rejects. */
  messages(): Promise<readonly Message[]> {
    const { history, masking } = this;
    this.masked = this.masked.then(async () => [...(await masking.apply(history.messages))]);
    return this.masked;
  }

  /** Returns the messages as the latest request contained them, without masking more. */
  shownOf(messages: readonly Message[]): readonly Message[] {
    return this.masking.shownOf(messages);
  }

  /** Returns the same list while the same tools are offered, so that providers can cache it. */
  declarations(offered = this.offered): readonly ToolDeclaration[] {
    const tools = [...offered.values()];
    const before = this.declared?.tools;
    if (before?.length !== tools.length || tools.some((tool, at) => tool !== before[at]))
      this.declared = { tools, list: tools.map(declareTool) };
    return this.declared!.list;
  }

  /** @param system receives the names of the declared tools */
  async compose(
    model: string,
    system: (toolNames: readonly string[]) => string,
    signal: AbortSignal,
  ): Promise<ModelRequest> {
    const messages = this.history.forRequest(await this.messages(), model);
    const offered = this.takenBy(model);
    const tools = this.declarations(offered);
    return { model, system: system([...offered.keys()]), messages, tools, signal };
  }

  /** Notifies a refused tool immediately, since a page may show it. */
  fold(event: SessionEvent): void {
    if (event.type === 'parts.refused') this.takenBy(event.model);
  }

  private takenBy(model: string): ReadonlyMap<string, AnyTool> {
    const { offered, history } = this;
    const refused = new Set<string>();
    for (const [name, tool] of offered) {
      const words = history.refusalOf(model, name);
      if (words === undefined) continue;
      refused.add(name);
      tool.refused?.(words);
    }
    return refused.size === 0 ? offered : new Map([...offered].filter(([name]) => !refused.has(name)));
  }

  sending(request: ModelRequest): void {
    this.sent = request;
  }

  private isOffered(tool: AnyTool): boolean {
    return (tool.isOffered?.() ?? true) && !this.isForbidden(tool);
  }
}
