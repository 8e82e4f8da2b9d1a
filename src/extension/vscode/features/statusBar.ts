import { commands, Disposable, StatusBarAlignment, ThemeColor, window } from 'vscode';
import { t } from '../../../protocol/language.ts';
import type { SessionState } from '../../../protocol/state.ts';
import { hasCommandAwaitingInput, hasNewestTurnFailed } from '../../../protocol/state.ts';
import type { ActiveSession } from '../activeSession.ts';

/** Folio's state in the status bar, for when the panel is closed. A click opens the panel. */
export function registerStatusBar(session: ActiveSession): Disposable {
  const item = window.createStatusBarItem('folio.status', StatusBarAlignment.Right, 100);
  item.name = 'Folio';
  item.command = 'folio.focusPanel';
  let shown: View | undefined;
  const update = () => {
    const view = viewOf(session.state);
    if (view === shown) return;
    shown = view;
    const { text, tooltip, background } = states()[view === 'typing' ? 'waiting' : view];
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: tooltip };
    item.backgroundColor = background === undefined ? undefined : new ThemeColor(background);
    setContext('working', view !== 'idle' && view !== 'failed');
    setContext('asking', view === 'waiting');
  };
  update();
  item.show();
  return Disposable.from(
    item,
    session.onEvent(update),
    session.onAgentEvent(update),
    session.onDidSwitch(update),
  );
}

function setContext(name: string, value: boolean): void {
  void commands.executeCommand('setContext', `folio.${name}`, value);
}

/** `typing`: a command waits for terminal input, which no key binding can answer. */
type View = 'idle' | 'working' | 'waiting' | 'typing' | 'failed';

const states = (): Readonly<
  Record<
    Exclude<View, 'typing'>,
    { readonly text: string; readonly tooltip: string; readonly background?: string }
  >
> => ({
  idle: {
    text: '$(book) Folio',
    tooltip: t('Folio is idle'),
  },
  working: {
    text: '$(loading~spin) Folio',
    tooltip: t('Folio is working'),
  },
  waiting: {
    text: '$(bell-dot) Folio',
    tooltip: t('Folio waits for you'),
    background: 'statusBarItem.warningBackground',
  },
  failed: {
    text: '$(error) Folio',
    tooltip: t('Folio failed; the panel says why'),
    background: 'statusBarItem.errorBackground',
  },
});

function viewOf(state: SessionState): View {
  const { activity } = state;
  if (activity.status === 'waiting' || activity.status === 'choosing') return 'waiting';
  if (activity.status !== 'resting') return hasCommandAwaitingInput(state) ? 'typing' : 'working';
  return hasNewestTurnFailed(state) ? 'failed' : 'idle';
}
