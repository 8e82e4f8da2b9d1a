import { t } from '../../../protocol/language.ts';
import type { ChoosingModel, ConnectionStep } from '../../../protocol/panel/connecting.ts';
import { languageModelId, languageModelLabel } from '../languageModels/languageModelNames.ts';
import type { LanguageModel, LanguageModels } from '../languageModels/languageModels.ts';
import type { ChosenModelWriter } from './chosenModelWriter.ts';
import type { ConnectDialogs } from './connectDialogs.ts';
import { type ConnectionMethod, type ConnectResult, stuckStep } from './connectionMethod.ts';

/**
 * Models that other extensions offer. Listing them needs no consent: VS Code asks for it at the first prompt.
 * @param mayOffer whether an extension declares models, without activating any
 */
export function vscodeMethod(
  models: LanguageModels,
  mayOffer: () => boolean,
  chosen: ChosenModelWriter,
  questions: ConnectDialogs,
): ConnectionMethod {
  let offered: readonly LanguageModel[] = [];
  const list = async (): Promise<ConnectResult> => {
    offered = await models.list();
    return offered.length === 0 ? nothingOffered() : listOf(offered);
  };
  return {
    known: async () => ({ vscodeModels: mayOffer() ? (await models.list()).length : 0 }),
    start: list,
    choose: async id => {
      const model = offered.find(each => languageModelId(each) === id);
      if (!model) return list();
      const problem =
        model.callsTools === false
          ? noTools(languageModelLabel(model))
          : await chosen.saveVscode(languageModelId(model));
      return problem === undefined ? 'connected' : { ...listOf(offered), refused: { id, problem } };
    },
    act: async action => {
      if (action !== 'extensions') return list();
      await questions.findExtensions('@tag:language-models');
      return nothingOffered();
    },
  };
}

function nothingOffered(): ConnectionStep {
  return stuckStep(
    t('No extension offers a model here. Install one, or sign in to the one you have, then search again.'),
    'again',
    'extensions',
  );
}

function listOf(offered: readonly LanguageModel[]): ChoosingModel {
  const models = offered.map(model => ({ id: languageModelId(model), label: languageModelLabel(model) }));
  return { status: 'choosing', sources: [{ name: 'VS Code', place: '', models }], actions: ['again'] };
}

function noTools(model: string): string {
  return t('The model "{0}" cannot call tools, which Folio needs. Choose another model.', model);
}
