import {
  commands,
  type InputBox,
  InputBoxValidationSeverity,
  type QuickInputButton,
  ThemeIcon,
  window,
} from 'vscode';
import { t } from '../../../protocol/language.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { ConnectDialogs, KeyAnswer, KeyQuestion, TextQuestion } from './connectDialogs.ts';
import { misplacedKeyMessages } from './keyTexts.ts';
import { KeyTrial } from './keyTrial.ts';

export const vscodeConnectDialogs: ConnectDialogs = {
  askKey,
  askText,
  openTerminal: command => {
    const terminal = window.createTerminal({ name: t('Google sign-in') });
    terminal.show();
    // Not run: the user presses Enter after reading it.
    terminal.sendText(command, false);
  },
  findExtensions: async query => {
    await commands.executeCommand('workbench.extensions.search', query);
  },
};

/** Tries the key while its field is open, so that errors appear there. A button then saves the refused key anyway. */
async function askKey(question: KeyQuestion, signal: AbortSignal): Promise<KeyAnswer> {
  const store = new DisposableStore();
  const box = openBox(store, signal);
  const aborted = new AbortController();
  const trial = new KeyTrial(question);
  const save: QuickInputButton = { iconPath: new ThemeIcon('save'), tooltip: t('Save Anyway') };
  box.title = t('Set API key');
  box.prompt = t('Key for {0}. It is kept in the secret storage of VS Code.', question.of);
  box.password = true;
  store.add(
    box.onDidChangeValue(() => {
      const owner = trial.findOwner(box.value);
      box.validationMessage = owner && warning(misplacedKeyMessages()[owner]);
      // Only for the key that was refused.
      box.buttons = [];
    }),
  );
  try {
    return await new Promise((resolve, reject) => {
      store.add(box.onDidHide(() => resolve({ kind: 'left', problem: trial.refused?.problem })));
      const accept = async (): Promise<void> => {
        // VS Code may still deliver an Enter that was pressed before the field was disabled.
        if (box.busy) return;
        const key = box.value.trim();
        if (key === '') {
          box.validationMessage = t('Type the key, or press Escape to leave.');
          return;
        }
        setBusy(box, true);
        const answer = await trial.enter(key, aborted.signal);
        if (answer) return resolve(answer);
        setBusy(box, false);
        box.buttons = [save];
        // The next text replaces the refused key, which nobody can see.
        box.valueSelection = [0, box.value.length];
        box.validationMessage = t(
          '{0} Enter tries it again; the button above saves it anyway.',
          trial.refused?.problem ?? '',
        );
      };
      store.add(box.onDidAccept(() => void accept().catch(reject)));
      store.add(
        box.onDidTriggerButton(() => {
          const answer = trial.saveAnyway();
          if (answer) resolve(answer);
        }),
      );
      box.show();
    });
  } finally {
    aborted.abort();
    store.dispose();
  }
}

async function askText(question: TextQuestion, signal: AbortSignal): Promise<string | undefined> {
  const store = new DisposableStore();
  const box = openBox(store, signal);
  box.title = question.title;
  box.prompt = question.prompt;
  box.value = question.value;
  store.add(
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    }),
  );
  try {
    return await new Promise(resolve => {
      store.add(box.onDidHide(() => resolve(undefined)));
      store.add(
        box.onDidAccept(() => {
          const fault = question.validateInput(box.value);
          if (fault === undefined) resolve(box.value);
          else box.validationMessage = fault;
        }),
      );
      box.show();
    });
  } finally {
    store.dispose();
  }
}

/** Closes with the store, or when the question is aborted. */
function openBox(store: DisposableStore, signal: AbortSignal): InputBox {
  const box = store.add(window.createInputBox());
  // A key is copied from elsewhere, so losing focus must not close the field.
  box.ignoreFocusOut = true;
  const hide = () => box.hide();
  signal.addEventListener('abort', hide, { once: true });
  store.add({ dispose: () => signal.removeEventListener('abort', hide) });
  return box;
}

function setBusy(box: InputBox, isBusy: boolean): void {
  box.busy = isBusy;
  box.enabled = !isBusy;
}

function warning(message: string) {
  return { message, severity: InputBoxValidationSeverity.Warning };
}
