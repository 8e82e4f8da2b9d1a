import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../platform/log.ts';
import { registerCommands } from '../features/commands.ts';
import type { RewindParts } from './rewindTo.ts';

export function registerRewindCommands(parts: RewindParts, log: Log): Disposable {
  const load = () => import('./rewindDialogs.ts');
  return registerCommands(log, {
    'folio.rewind': async (to?: unknown, scope?: unknown) => (await load()).rewind(parts, to, scope),
    'folio.undoCommand': async () => (await load()).undoCommand(parts),
    'folio.undoRewind': async () => (await load()).undoNewestRewind(parts),
  });
}
