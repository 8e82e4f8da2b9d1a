import { t } from '../../../../protocol/language.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { codeSpan, escapeInline } from '../../export/markdownText.ts';
import type { ListedHook } from '../../hooks/hooks.ts';
import type { Command, CommandContext } from '../commands.ts';
import { commandWithSubCommands } from '../commandWithSubCommands.ts';
import { switchSubCommands } from './switchSubCommands.ts';

export function hooksCommand(): Command {
  return commandWithSubCommands({
    name: 'hooks',
    alone: {
      description: t('Show the programs that run before and after actions (hooks)'),
      run: surface => surface.views.open('hooks'),
    },
    words: [
      { name: 'list', description: t('List the hooks and their state'), run: list },
      ...switchSubCommands('hook', t('Enable a hook'), t('Disable a hook in this workspace')),
    ],
  });
}

async function list(surface: CommandContext): Promise<void> {
  const hooks = await surface.installed.hooks();
  await hooks.refresh();
  const lines = (await hooks.list()).map(describe);
  const none = t('There are no hooks.');
  await surface.user.show(t('Hooks'), `# ${t('Hooks')}\n\n${lines.join('\n') || none}\n`);
}

function describe({ hook, state }: ListedHook): string {
  const { name, event, matcher, file } = hook;
  const when = matcher === undefined ? event : `${event} ${matcher}`;
  const states = {
    enabled: t('runs'),
    waiting: t('waits for you to allow it'),
    refused: t('refused'),
    disabled: t('is disabled'),
  };
  return `- ${codeSpan(sanitiseLine(name, 120))}, ${escapeInline(when)}: ${states[state]} (${escapeInline(file)})`;
}
