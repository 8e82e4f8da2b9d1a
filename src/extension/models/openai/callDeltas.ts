/*
 * Assembles calls from their chunks. By the protocol a chunk names its call by index, and id and name come with the
 * first chunk. Servers deviate: some send whole calls that all have index 0, some repeat id and name in each chunk,
 * some omit the index or the id. The rule: another id starts another call. Without ids, a name starts another call once
 * the previous arguments are complete.
 */

import type { Part } from '../../../protocol/events.ts';
import { isRecord, textOrEmpty } from '../../base/record.ts';
import { parseArgumentsObject, readCallArguments } from '../wire/callArguments.ts';
import type { CallDelta } from './wire.ts';

/** A call of which all deltas have arrived. */
export type CompleteCall = Extract<Part, { kind: 'call' }> & {
  /** Empty if the server gave none. */
  readonly idFromServer: string;
  /** Members that must be sent back to the server with the call. */
  readonly extra: Readonly<Record<string, unknown>> | undefined;
};

interface Draft {
  readonly index: number | undefined;
  id: string;
  name: string;
  args: string;
  extra: Readonly<Record<string, unknown>> | undefined;
}

export class CallDeltas {
  private readonly drafts: Draft[] = [];

  add(delta: CallDelta): void {
    const id = textOrEmpty(delta.id);
    const name = textOrEmpty(delta.function?.name);
    const draft = this.find(delta.index ?? undefined, id, name) ?? this.begin(delta.index ?? undefined);
    draft.id ||= id;
    draft.name ||= name;
    draft.args += argumentsOf(delta.function?.arguments);
    if (isRecord(delta.extra_content)) draft.extra = delta.extra_content;
  }

  /**
   * @param isTaken true for an id in the history; the session identifies calls by id
   * @param isCut the answer reached its length limit within the last call
   */
  calls(newId: () => string, isTaken: (id: string) => boolean, isCut: boolean): readonly CompleteCall[] {
    const seen = new Set<string>();
    return this.drafts.map(({ id: idFromServer, name, args, extra }, at) => {
      const id =
        idFromServer === '' || seen.has(idFromServer) || isTaken(idFromServer) ? newId() : idFromServer;
      seen.add(id);
      const written = readCallArguments(args, isCut && at === this.drafts.length - 1);
      return { kind: 'call', id, name, ...written, idFromServer, extra };
    });
  }

  private find(index: number | undefined, id: string, name: string): Draft | undefined {
    const draft =
      index === undefined ? this.drafts.at(-1) : this.drafts.findLast(each => each.index === index);
    if (!draft) return undefined;
    if (id !== '' && draft.id !== '') return id === draft.id ? draft : undefined;
    const isWhole = draft.args !== '' && parseArgumentsObject(draft.args) !== undefined;
    return name !== '' && draft.name !== '' && isWhole ? undefined : draft;
  }

  private begin(index: number | undefined): Draft {
    const draft: Draft = { index, id: '', name: '', args: '', extra: undefined };
    this.drafts.push(draft);
    return draft;
  }
}

/** Some servers send an object instead of a string. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
