import { t } from '../../../protocol/language.ts';
import { ModelError } from '../../core/model.ts';
import type { AnthropicConnection } from '../anthropic/anthropicProvider.ts';

export interface VertexConnection extends Omit<AnthropicConnection, 'apiKey'> {
  /** Id of the Google Cloud project that pays. Empty if unset. */
  readonly project: () => string;
  /** For example `europe-west1`. Empty means `global`. */
  readonly location: () => string;
}

interface Place {
  readonly project: string;
  readonly location: string;
}

/** Checks both names, because they become part of the address. */
export function findProjectAndLocation(connection: Pick<VertexConnection, 'project' | 'location'>): Place {
  const project = connection.project().trim();
  const location = connection.location().trim() || 'global';
  if (project === '') {
    throw settingError(() =>
      t('No Google Cloud project is set. Set folio.vertex.project to the id of yours.'),
    );
  }
  if (!/^[a-z0-9][a-z0-9.:-]*$/i.test(project)) {
    throw settingError(() =>
      t('The Google Cloud project is not a valid project id. Correct folio.vertex.project.'),
    );
  }
  if (!/^[a-z0-9-]+$/.test(location)) {
    throw settingError(() => t('The Vertex AI location is not valid. Correct folio.vertex.location.'));
  }
  return { project, location };
}

/** Builds the endpoint as Vertex AI's documentation describes, unless an address is set. */
export function vertexEndpoint(connection: VertexConnection): string {
  const { location } = findProjectAndLocation(connection);
  const given = connection.baseUrl().trim().replace(/\/+$/, '');
  if (given !== '') return given;
  if (location === 'global') return 'https://aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`;
  return `https://${location}-aiplatform.googleapis.com`;
}

function settingError(say: () => string): ModelError {
  return new ModelError('badRequest', say, { retryable: false });
}
