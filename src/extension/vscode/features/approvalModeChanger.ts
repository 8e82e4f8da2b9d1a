import { type QuickPickItem, window } from 'vscode';
import type { ApprovalMode } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { nearestMode } from '../../core/policy/initialMode.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelView } from '../panel/panelView.ts';
import type { WindowTrust } from '../windowTrust.ts';
import { registerCommands } from './commands.ts';
import { reportFailure } from './report.ts';
import { SessionConfirmer } from './sessionConfirmer.ts';

/** Changes the mode for panel, command and setting. Asks for confirmation before the mode that approves everything. */
export class ApprovalModeChanger extends DisposableOwner {
  private readonly session: ActiveSession;
  private readonly settings: Settings;
  private readonly confirmations = new SessionConfirmer(saysYes, () => this.session.present?.id);
  /** Sessions in which the user was asked because of the setting. */
  private readonly asked = new Set<string>();

  constructor(
    session: ActiveSession,
    settings: Settings,
    trust: Pick<WindowTrust, 'isTrusted'>,
    panel: Pick<PanelView, 'keepFocus'>,
    log: Log,
  ) {
    super();
    this.session = session;
    this.settings = settings;
    this.store.add(
      registerCommands(log, { 'folio.setApprovalMode': () => panel.keepFocus(() => this.pick()) }),
    );
    this.store.add(
      session.onDidSwitch(() => {
        const id = session.present?.id;
        if (id === undefined || settings.get('approvalMode') !== 'yolo' || this.asked.has(id)) return;
        if (!this.isAllowed('yolo')) return;
        // In an untrusted workspace nothing would run anyway.
        if (!trust.isTrusted) return;
        this.asked.add(id);
        this.change('yolo').catch(error =>
          reportFailure(log, t('The approval mode could not be set'), error),
        );
      }),
    );
  }

  async change(mode: ApprovalMode): Promise<void> {
    // If the organisation forbids it, the session says so without a question.
    const isNew = mode === 'yolo' && this.session.state.mode !== 'yolo' && this.isAllowed(mode);
    if (isNew && !(await this.confirm())) return;
    await this.session.setMode(mode);
  }

  private isAllowed(mode: ApprovalMode): boolean {
    return nearestMode(mode, this.settings.restrictions?.modes) === mode;
  }

  private async pick(): Promise<void> {
    const items = modes().map(({ mode, label, detail }): QuickPickItem & { readonly mode: ApprovalMode } => ({
      mode,
      detail,
      description: this.isAllowed(mode) ? undefined : t('Managed by your organization'),
      label: mode === this.session.state.mode ? `$(check) ${label}` : label,
    }));
    const picked = await window.showQuickPick(items, { title: t('Set approval mode') });
    if (picked) await this.change(picked.mode);
  }

  private async confirm(): Promise<boolean> {
    return this.confirmations.confirm((await this.session.open()).id);
  }
}

const modes = (): readonly {
  readonly mode: ApprovalMode;
  readonly label: string;
  readonly detail: string;
}[] => [
  {
    mode: 'default',
    label: t('Ask first'),
    detail: t('Asks before every edit, and before commands that do more than read.'),
  },
  { mode: 'autoEdit', label: t('Auto-edit'), detail: t('Edits files without asking; commands still ask.') },
  {
    mode: 'plan',
    label: t('Plan'),
    detail: t('Reads and plans; edits nothing and runs only commands that read.'),
  },
  { mode: 'yolo', label: t('Allow all'), detail: t('Edits files and runs commands without asking.') },
];

async function saysYes(): Promise<boolean> {
  const yes = t('Allow all');
  const detail =
    `${t('Every command that the model writes is then run with your rights, until you choose another mode.')} ` +
    t(
      'Only secrets and what would erase your disk or home folder still ask. This holds for the open session only.',
    );
  const question = t('Run commands and edit files without asking?');
  return (await window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
