import { useComputed } from '@preact/signals';
import type { UnseenHook } from '../../protocol/hooks.ts';
import { visibleText } from '../approval/visibleText.ts';
import { usePanel } from '../panel.ts';
import { Button } from '../ui/controls.tsx';
import { plural } from '../ui/format.ts';

/** Programs that came with the workspace run only after a person has seen them. It never takes the focus. */
export function UnseenHooks() {
  const { store, act } = usePanel();
  const hooks = useComputed(() => store.surroundings.value?.unseenHooks ?? none).value;
  const decide = (allowed: boolean) => {
    store.focusWishes.value++;
    act({ type: 'hooks.decide', allowed });
  };
  const title = `This workspace brings ${plural(hooks.length, 'hook')}`;
  const what = hooks.length === 1 ? 'a program that runs' : 'programs that run';
  return (
    <>
      <div class="sr-only" role="status">
        {hooks.length > 0 && title}
      </div>
      {hooks.length > 0 && (
        <section class="unseen-hooks" aria-label={title}>
          <p>
            {title}: {what} around Folio's work, with your rights.
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, also by key. */}
          <ul class="unseen-list" tabIndex={0} aria-label="Hooks">
            {hooks.map((hook, index) => (
              <HookFacts key={index} hook={hook} />
            ))}
          </ul>
          <div class="buttons">
            <Button onPress={() => decide(true)}>Allow</Button>
            <Button onPress={() => decide(false)}>Not now</Button>
          </div>
        </section>
      )}
    </>
  );
}

const none: readonly UnseenHook[] = [];

function HookFacts({ hook }: { readonly hook: UnseenHook }) {
  const { store, act } = usePanel();
  const { event, command, file } = hook;
  const folder = store.surroundings.value?.folders.find(
    each => file.startsWith(each) && /^[\\/]/.test(file.slice(each.length)),
  );
  return (
    <li>
      <div class="hook-where">
        <span class="quiet">{event}</span>
        <button
          type="button"
          class="link-button ellipsis"
          title={file}
          onClick={() => act({ type: 'file.open', path: file })}
        >
          {folder ? file.slice(folder.length + 1) : file}
        </button>
      </div>
      <code class="hook-command">{visibleText(command)}</code>
    </li>
  );
}
