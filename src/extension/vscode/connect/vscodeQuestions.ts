import { commands, type InputBox, InputBoxValidationSeverity, window } from 'vscode';
import { t } from '../../../protocol/language.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { keyFormOf } from '../../base/keyForms.ts';
import type { ConnectQuestions, KeyAnswer, KeyQuestion, TextQuestion } from './connectQuestions.ts';
import { misplacedKey } from './keyTexts.ts';

export const vscodeQuestions: ConnectQuestions = {
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

/** Tries the key while its field is open, so that errors appear there. Pressing Enter once more saves it anyway. */
async function askKey(question: KeyQuestion, signal: AbortSignal): Promise<KeyAnswer> {
  const store = new DisposableStore();
  const box = openBox(store, signal);
  const trying = new AbortController();
  let tried: { readonly key: string; readonly problem: string } | undefined;
  box.title = t('Set API key');
  box.prompt = t('Key for {0}. It is kept in the secret storage of VS Code.', question.of);
  box.password = true;
  const findOwner = (key: string) => {
    const owner = keyFormOf(key);
    return owner !== undefined && question.belongsElsewhere(owner) ? owner : undefined;
  };
  store.add(
    box.onDidChangeValue(() => {
      const owner = findOwner(box.value);
      box.validationMessage = owner && warning(misplacedKey()[owner]);
    }),
  );
  try {
    return await new Promise((resolve, reject) => {
      store.add(box.onDidHide(() => resolve({ kind: 'left', problem: tried?.problem })));
      const accept = async (): Promise<void> => {
        const key = box.value.trim();
        const owner = findOwner(key);
        if (key === '') box.validationMessage = t('Type the key, or press Escape to leave.');
        else if (owner) resolve({ kind: 'misplaced', owner, key });
        else if (key === tried?.key) resolve({ kind: 'key', ...tried });
        else {
          setBusy(box, true);
          const problem = await question.tryKey(key, trying.signal);
          if (problem === undefined) return resolve({ kind: 'key', key });
          tried = { key, problem };
          setBusy(box, false);
          box.validationMessage = t('{0} Press Enter again to save it anyway.', problem);
        }
      };
      store.add(box.onDidAccept(() => void accept().catch(reject)));
      box.show();
    });
  } finally {
    trying.abort();
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
          const fault = question.findFault(box.value);
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
