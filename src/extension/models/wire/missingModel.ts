import { t } from '../../../protocol/language.ts';

/* Detects from an error message that a model does not exist. Servers use four different statuses for it. */

/** Seen in practice. Messages about what a model lacks or refuses must not match. */
const words =
  /\bmodel_not_found\b|DeploymentNotFound|\bmodel:? [^.]{0,200}?(does not exist|(is |was )?not found)|model not (exist|found)|(not a valid|invalid|unknown|no such) model\b(?! (output|response|input))|access to (the )?model|model identifier is invalid/i;

/** Returns a sentence about it, or `undefined` if the error is about something else. */
export function findMissingModel(
  at: string,
  status: number,
  said: string,
  model: string | undefined,
): string | undefined {
  if (model === undefined || ![400, 403, 404, 422].includes(status)) return undefined;
  if (/only supported in v1\/responses/i.test(said))
    return t(
      'The model "{0}" is offered only through OpenAI\'s Responses. Choose "OpenAI" with "Folio: Connect a Model", or choose another model.',
      model,
    );
  if (/on-demand throughput/i.test(said))
    return t(
      '{0} needs a region for "{1}". Choose an id with a region, such as one that begins with "global." or "eu.", with "Folio: Select Model".',
      at,
      model,
    );
  if (!words.test(said) && !(status === 404 && /model/i.test(said))) return undefined;
  return status === 403
    ? t(
        '{0} does not let this API key use the model "{1}". Choose another model with "Folio: Select Model".',
        at,
        model,
      )
    : t('{0} has no model "{1}". Choose another model with "Folio: Select Model".', at, model);
}
