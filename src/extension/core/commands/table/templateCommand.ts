import { t } from '../../../../protocol/language.ts';
import { autoModel } from '../../../../protocol/routing.ts';
import { headOf } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import type { Command, CommandContext, CommandSource } from '../commands.ts';
import type { CustomCommand } from '../custom/customCommand.ts';
import { expandTemplate } from '../template/expandTemplate.ts';

/** Creates a command that sends the prompt from its file. */
export function templateCommand(command: CustomCommand, name: string, source: CommandSource): Command {
  const { description, body, hint = '' } = command;
  return {
    name,
    source,
    description: description || t('This file cannot be used'),
    argument: hint,
    asksModel: 'always',
    run: async (surface, argument) => {
      if (body.kind === 'broken') throw new CommandError(body.sentence);
      const typed = argument === '' ? `/${name}` : `/${name} ${argument}`;
      const filled = await surface.user.working(`Folio: /${name}`, async signal => {
        const work = await surface.session.template(signal);
        return work && expandTemplate(body.template, { name, argument, typed }, work);
      });
      if (!filled)
        throw new CommandError(t('/{0} cannot be used here: there is nothing to fill its text from.', name));
      for (const note of body.notes) surface.user.notify(note);
      const { text: wording, attachments } = filled;
      if (wording.trim() === '') throw new CommandError(t('/{0} was not sent: its text is empty.', name));
      const model = body.model === undefined ? undefined : findModel(body.model, surface);
      if (body.model !== undefined && model === undefined)
        surface.user.notify(
          t(
            '/{0} names the model {1}, which is not available here. Your model is used instead.',
            name,
            headOf(body.model, 60),
          ),
        );
      await surface.session.send({ shown: typed, wording, attachments, model });
    },
  };
}

function findModel(name: string, surface: Pick<CommandContext, 'models'>): string | undefined {
  const id = surface.models.resolve(name);
  return id === autoModel ? id : surface.models.known().find(each => each.id === id)?.id;
}
