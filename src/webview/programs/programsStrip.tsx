import { useComputed } from '@preact/signals';
import type { ListedProgram, ProgramStatus } from '../../protocol/events.ts';
import type { ProgramAction } from '../../protocol/intentions.ts';
import { plural, t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { IconButton, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { useCardOpen } from '../ui/useCardOpen.ts';

/** Programs that the session left running. Several are folded into a line. */
export function ProgramsStrip() {
  const { store } = usePanel();
  const programs = useComputed(() => store.session.value?.programs ?? []).value;
  const [isOpen, toggle] = useCardOpen('programs', true);
  if (programs.length === 0) return null;
  const running = programs.filter(({ status }) => status === 'running').length;
  const isFoldable = programs.length > 1;
  return (
    <section class="programs" aria-label={t('Running programs')}>
      {isFoldable && (
        <div class="strip">
          <button type="button" class="strip-toggle ellipsis" aria-expanded={isOpen} onClick={toggle}>
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
            <span class="strip-text ellipsis">
              {plural(running, 'one: {0} program runs | other: {0} programs run')}
            </span>
          </button>
        </div>
      )}
      {(isOpen || !isFoldable) && programs.map(program => <ProgramRow key={program.id} program={program} />)}
    </section>
  );
}

function ProgramRow({ program }: { readonly program: ListedProgram }) {
  const { act } = usePanel();
  const { id: callId, command, address, status, kept } = program;
  const press = (action: ProgramAction) => () => act({ type: 'program.act', callId, action });
  const isRunning = status === 'running';
  return (
    <section class="strip program" aria-label={command}>
      <Icon name="server" class="quiet" />
      <span class="strip-text" title={command}>
        <span class="program-name ellipsis">{command}</span>
        <ProgramState program={program} />
      </span>
      <span class="program-actions">
        {isRunning && address !== undefined && (
          <LinkButton class="ellipsis" title={t('Open {0}', address)} onClick={press('open')}>
            {address.replace(/^https?:\/\//, '').replace(/\/$/, '')}
          </LinkButton>
        )}
        <IconButton icon="output" label={t('Show output')} onPress={press('showOutput')} />
        {isRunning && !kept && (
          <IconButton icon="pin" label={t('Keep running when the window closes')} onPress={press('keep')} />
        )}
        <IconButton icon="debug-restart" label={t('Restart')} onPress={press('restart')} />
        {isRunning ? (
          <IconButton icon="debug-stop" label={t('Stop')} onPress={press('stop')} />
        ) : (
          <IconButton icon="close" label={t('Remove from the list')} onPress={press('forget')} />
        )}
      </span>
    </section>
  );
}

function ProgramState({ program: { status, exit, errors, kept } }: { readonly program: ProgramStatus }) {
  const facts = [
    status === 'ended' && (exit === '0' ? t('ended') : t('ended: {0}', exit ?? '?')),
    errors > 0 && plural(errors, 'one: {0} error | other: {0} errors'),
  ].filter(fact => fact !== false);
  return (
    <>
      {facts.length > 0 && <span class="quiet">{facts.map(fact => ` · ${fact}`)}</span>}
      {status === 'running' && kept && (
        <span
          role="img"
          aria-label={t('Stays when the window closes')}
          title={t('Stays when the window closes')}
        >
          <Icon name="pinned" class="quiet" />
        </span>
      )}
    </>
  );
}
