import { window } from 'vscode';
import { plural, t } from '../../../protocol/language.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { Policy, UnseenWorkspaceRules } from '../../core/policy/policy.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveSession } from '../activeSession.ts';
import type { PanelFeed } from '../panel/panelFeed.ts';
import type { PanelView } from '../panel/panelView.ts';
import { registerCommands } from './commands.ts';
import { reportFailure } from './report.ts';

/** Shows the permission rules in force, and offers those of a workspace that the user has not seen. */
export class PermissionsController extends DisposableOwner {
  private readonly session: ActiveSession;
  private readonly panel: PanelView;
  private readonly log: Log;
  /** Rules already shown in this window, whatever the user answered. */
  private readonly shown = new Set<string>();
  private ruleFiles: ReadonlySet<string> = new Set();

  constructor(session: ActiveSession, panel: PanelView, log: Log) {
    super();
    this.session = session;
    this.panel = panel;
    this.log = log;
    this.store.add(registerCommands(log, { 'folio.showPermissions': () => this.show() }));
    this.store.add(
      session.onEvent(event => {
        if (event.type === 'call.decided' && event.decision === 'always') this.background(this.notify());
        // The rules were read again for the turn before its first step.
        if (event.type === 'step.started') this.background(this.offerUnseen());
      }),
    );
  }

  /** Absolute paths of the files in the list. The user's own are outside of the workspace. */
  get files(): ReadonlySet<string> {
    return this.ruleFiles;
  }

  async show(): Promise<void> {
    await this.panel.show('permissions');
    await this.notify();
  }

  /** @param feed of the page that asked; defaults to the active one */
  async notify(feed: PanelFeed = this.panel.feed): Promise<void> {
    const permissions = await (await this.policy()).list();
    this.ruleFiles = new Set(permissions.flatMap(({ file }) => file ?? []));
    feed.notify({ type: 'permissions.listed', permissions });
  }

  /** Opens the file of the user's own rules, with an example if it does not exist. */
  async begin(): Promise<void> {
    const { exampleRules, openOrCreate } = await import('./newFile.ts');
    await openOrCreate(['.folio', 'policies', 'rules.toml'], exampleRules);
  }

  async remove(id: string, feed: PanelFeed): Promise<void> {
    await (await this.policy()).forget(id);
    await this.notify(feed);
  }

  private async policy(): Promise<Policy> {
    return (await this.session.open()).policy;
  }

  private async offerUnseen(): Promise<void> {
    const policy = this.session.present?.policy;
    const unseen = await policy?.findUnseen();
    if (!policy || !unseen || unseen.fingerprints.every(each => this.shown.has(each))) return;
    for (const fingerprint of unseen.fingerprints) this.shown.add(fingerprint);
    const message = plural(
      unseen.permissions.length,
      'one: This workspace has {0} rule that lets Folio act without asking. It stays off until you review it. | other: This workspace has {0} rules that let Folio act without asking. They stay off until you review them.',
    );
    const answer = await window.showInformationMessage(message, t('Review'));
    if (answer !== undefined && (await accepts(unseen))) {
      await policy.accept(unseen);
      await this.notify();
    }
  }

  private background(work: Promise<void>): void {
    work.catch(error => reportFailure(this.log, t('The permissions could not be read'), error));
  }
}

async function accepts({ permissions }: UnseenWorkspaceRules): Promise<boolean> {
  const yes = t('Allow');
  const lines = permissions.map(({ subject, origin, modes }) => {
    return modes
      ? t('{0} (in the modes {1}): allowed. {2}', subject, modes.join(', '), origin)
      : t('{0}: allowed. {1}', subject, origin);
  });
  const detail = lines.length > 20 ? [...lines.slice(0, 20), t('… and {0} more', lines.length - 20)] : lines;
  const question = t('May Folio do this in this workspace without asking?');
  return (await window.showWarningMessage(question, { modal: true, detail: detail.join('\n') }, yes)) === yes;
}
