import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { LazyModule } from '../panel/lazyModule.ts';
import { usePanel } from '../panel/panel.ts';

/** Loaded on demand, since few servers have pages. */
const view = new LazyModule(() => import('./appFrame.tsx'));

/** Place of an MCP page below its call. The host opens the page when it comes near the view. */
export function AppSlot({ callId, server }: { readonly callId: string; readonly server: string }) {
  const { act, store } = usePanel();
  const told = useComputed(() => store.apps.value[callId]).value;
  const slot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (told) return;
    const observer = new IntersectionObserver(entries => {
      if (!entries.some(entry => entry.isIntersecting)) return;
      observer.disconnect();
      act({ type: 'panel.app', callId, hosts: [] });
      void view.load();
    });
    observer.observe(slot.current!);
    return () => observer.disconnect();
  }, [callId, told === undefined]);
  const AppFrame = view.present?.AppFrame;
  return (
    <div class="app-slot" ref={slot}>
      {told?.problem !== undefined ? (
        <p class="call-note">{t('The page of {0} cannot be shown: {1}', server, told.problem)}</p>
      ) : told?.app && AppFrame ? (
        <AppFrame key={told.app.id} callId={callId} server={server} app={told.app} />
      ) : (
        <p class="call-note">{t('Loading the page of {0}…', server)}</p>
      )}
    </div>
  );
}
