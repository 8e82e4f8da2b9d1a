import { readdir } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';

/** What a process holds that must not grow with use. */
export interface Holdings {
  /** Bytes in use once everything unreachable is gone. */
  readonly heap: number;
  /** Pipes, sockets, processes and the like: how many of each kind. Requests that are under way are left out. */
  readonly resources: Readonly<Record<string, number>>;
  /** Open file handles; 0 where the system does not list them. */
  readonly handles: number;
  /** Of the process itself, such as those of its end and of signals. */
  readonly processListeners: number;
  /** Answers of the counts that were asked for, by their names. */
  readonly counts: Readonly<Record<string, number>>;
}

/** @param measure an expression over `all`, an array of the live objects with this prototype */
export interface Count {
  readonly prototype: object;
  readonly measure: string;
}

/** Timers that will run: also those that let the process end, and only those that `when` is true of. */
export function countTimers(when: string): Count {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  const measure = `all.filter(timer => !timer._destroyed && timer._idleTimeout > 0 && (${when})).length`;
  return { prototype: Object.getPrototypeOf(timer), measure };
}

/** Counts what this process holds. Asks V8 for live objects, which collects garbage first. */
export async function readHoldings(counts: Readonly<Record<string, Count>>): Promise<Holdings> {
  const session = new Session();
  session.connect();
  try {
    const measured: [string, number][] = [];
    for (const [name, count] of Object.entries(counts)) measured.push([name, await measure(session, count)]);
    await session.post('HeapProfiler.collectGarbage');
    return {
      heap: process.memoryUsage().heapUsed,
      resources: countKinds(
        process.getActiveResourcesInfo().filter(kind => !/Req|Immediate|Timeout/.test(kind)),
      ),
      handles: (await readdir('/proc/self/fd').catch(() => [])).length,
      processListeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
      counts: Object.fromEntries(measured),
    };
  } finally {
    session.disconnect();
  }
}

async function measure(session: Session, count: Count): Promise<number> {
  // The inspector knows objects by expressions only.
  const place = '__countedPrototype';
  Object.assign(globalThis, { [place]: count.prototype });
  try {
    const found = { objectGroup: place };
    const { result } = await session.post('Runtime.evaluate', { expression: place, ...found });
    const query = { prototypeObjectId: result.objectId!, ...found };
    const { objects } = await session.post('Runtime.queryObjects', query);
    const answer = await session.post('Runtime.callFunctionOn', {
      objectId: objects.objectId!,
      functionDeclaration: `function () { const all = this; return ${count.measure}; }`,
      returnByValue: true,
    });
    return Number(answer.result.value);
  } finally {
    await session.post('Runtime.releaseObjectGroup', { objectGroup: place });
    Reflect.deleteProperty(globalThis, place);
  }
}

function countKinds(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of kinds.toSorted()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
