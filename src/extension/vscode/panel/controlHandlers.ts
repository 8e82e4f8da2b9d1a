import { commands } from 'vscode';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelHandlers } from './panelHandlers.ts';
import type { PanelView } from './panelView.ts';

export type ControlHandlers = Pick<
  PanelHandlers,
  | 'prompt.queue'
  | 'queue.change'
  | 'queue.remove'
  | 'queue.sendNow'
  | 'permissions.list'
  | 'permission.remove'
  | 'hooks.decide'
  | 'plan.open'
>;

export function handleControl(_session: ActiveSession, _panel: PanelView): ControlHandlers {
  return {
    'prompt.queue': () => undefined,
    'queue.change': () => undefined,
    'queue.remove': () => undefined,
    'queue.sendNow': () => undefined,
    'permissions.list': () => commands.executeCommand('folio.showPermissions'),
    'permission.remove': () => undefined,
    'hooks.decide': () => undefined,
    'plan.open': () => undefined,
  };
}
