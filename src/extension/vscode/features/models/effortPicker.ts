import { window } from 'vscode';
import { t } from '../../../../protocol/language.ts';
import { modelInUse } from '../../../../protocol/routes.ts';
import { autoModel } from '../../../../protocol/routing.ts';
import { rowsOfEfforts } from '../../../../protocol/words/effortWords.ts';
import { type WritableSettings, withEffort } from '../../../platform/settings.ts';
import type { ActiveSession } from '../../activeSession.ts';
import type { Connection } from '../../connection.ts';

/** The choice is kept for the model, in the user's own settings, and counts from the next request on. */
export async function selectEffort(
  { state }: Pick<ActiveSession, 'state'>,
  { models }: Pick<Connection, 'models'>,
  settings: WritableSettings,
): Promise<void> {
  const id = modelInUse(state) ?? autoModel;
  const { label = id, efforts = [] } = models.find(model => model.id === id) ?? {};
  if (efforts.length === 0) {
    const what =
      id === autoModel ? t('Auto has not chosen a model yet.') : t('{0} offers no choice of effort.', label);
    void window.showInformationMessage(
      `${what} ${t('Choose a model that does with "Folio: Select Model".')}`,
    );
    return;
  }
  const rows = rowsOfEfforts(efforts, id, settings.get('effort'));
  const picked = await window.showQuickPick(rows, { title: t('Effort of {0}', label) });
  if (picked) await settings.change('effort', before => withEffort(before, id, picked.effort));
}
