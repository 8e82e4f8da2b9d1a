import type { TemplateWork } from '../commands/template/templateSources.ts';
import type { Session } from './session.ts';

/** Runs commands of a template under the session's policy, like calls of the model. */
export async function sessionWork(
  session: Pick<Session, 'templates' | 'policy' | 'state'>,
  user: Pick<TemplateWork, 'ask' | 'notify' | 'signal'>,
): Promise<TemplateWork | undefined> {
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
