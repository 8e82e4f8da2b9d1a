import { t } from '../../protocol/language.ts';
import { headOf } from '../../protocol/words/cutText.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton } from '../ui/controls.tsx';
import { focusPrompt } from '../ui/keepFocus.ts';

/** Shows the texts that MCP pages add to the next prompt. Each unfolds to the full text that the model will read. */
export function AppAdditions() {
  const { store, act } = usePanel();
  return (
    <>
      {store.appAdditions.value.map(({ app, server, text }) => (
        <div class="app-addition" key={app}>
          <details>
            <summary class="ellipsis">
              {t('Page of the server {0} adds: {1}', server, headOf(text, 120))}
            </summary>
            <pre>{text}</pre>
          </details>
          <IconButton
            icon="close"
            label={t('Leave out what the page of the server {0} adds', server)}
            onPress={() => {
              act({ type: 'panel.appLeftOut', app });
              focusPrompt();
            }}
          />
        </div>
      ))}
    </>
  );
}
