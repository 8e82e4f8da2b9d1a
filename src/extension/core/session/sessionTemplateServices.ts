import type { TemplateServices } from '../commands/template/templateSources.ts';
import type { Session } from './session.ts';

/**
 * Returns what a template needs to run its commands under the session's policy, like calls of the model. `undefined`:
 * the session cannot send templates.
 */
export async function sessionTemplateServices(
  session: Pick<Session, 'templates' | 'policy' | 'state'>,
  user: Pick<TemplateServices, 'ask' | 'notify' | 'signal'>,
): Promise<TemplateServices | undefined> {
  const { templates, policy } = session;
  if (!templates) return undefined;
  await policy.refresh();
  return {
    ...templates,
    ...user,
    classify: (command, cwd) =>
      policy.classify({
        tool: 'run_shell_command',
        effect: 'run',
        mode: session.state.mode,
        target: { kind: 'command', command, cwd },
        args: { command },
      }),
    remember: offer => policy.remember(offer),
  };
}
