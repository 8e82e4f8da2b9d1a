import type { Blob } from '../../../../protocol/events.ts';
import type { Attachment } from '../../../../protocol/intentions.ts';
import { t } from '../../../../protocol/language.ts';
import { messageOf } from '../../../base/errors.ts';
import { sanitiseLine } from '../../../base/text.ts';
import { CommandError } from '../../commandError.ts';
import type { Command } from '../commands.ts';
import { argumentHint, parsePromptArguments } from './promptArguments.ts';
import type { PromptText, ServerPrompt, ServerPrompts } from './promptSource.ts';

const descriptionLength = 100;

export function serverCommand(prompt: ServerPrompt, name: string, prompts: ServerPrompts): Command {
  const { server } = prompt;
  const hint = argumentHint(prompt.arguments);
  return {
    name,
    source: { kind: 'server', name: server },
    asksModel: 'always',
    description:
      sanitiseLine(prompt.description, descriptionLength) || t('A prompt of the server {0}', server),
    argument: hint,
    run: async (surface, argument) => {
      const values = parsePromptArguments(prompt, argument, name);
      let made: PromptText;
      try {
        made = await surface.user.working(`Folio: /${name}`, signal =>
          prompts.get(server, prompt.name, values, signal),
        );
      } catch (error) {
        throw new CommandError(
          t('/{0} was not sent: the server {1} returned no prompt. {2}', name, server, messageOf(error)),
        );
      }
      const images = made.blobs.filter(isImage);
      if (images.length < made.blobs.length)
        surface.user.notify(
          t('/{0} contains audio or documents, which were not sent: only images are supported.', name),
        );
      const attachments = images.map((blob, index): Attachment => {
        return { kind: 'image', name: `${server} ${index + 1}`, blob };
      });
      const shown = argument === '' ? `/${name}` : `/${name} ${argument}`;
      await surface.session.send({ shown, wording: made.text, attachments });
    },
  };
}

function isImage({ mimeType }: Blob): boolean {
  return mimeType.startsWith('image/');
}
