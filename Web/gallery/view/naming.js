// Reads a person's name from a form, tells what is wrong with it, and keeps the form still while it is being used.

import { button, find } from './elements.js';
import { keepName, keptName } from '../address.js';
import { language } from '../language.js';
import { causeOf } from '../causes.js';
import { displayNameLimitBytes } from '../photos/limits.js';
import { nameLengthBytes } from '../photos/names.js';
import { sentenceFor } from '../texts.js';

/**
 * @param {{ form: string, field: string, problem: string, submit: string }} ids
 * @param {(name: string) => Promise<void>} proceed rejects with a `HearthError`, which is told in the form
 */
export function askName(ids, proceed) {
  const form = find(ids.form, HTMLFormElement);
  const field = find(ids.field, HTMLInputElement);
  const submit = button(ids.submit);
  form.noValidate = true;
  field.value = keptName();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.getAttribute('aria-busy') === 'true') return;
    const name = field.value.trim();
    const value = nameLengthBytes(name);
    if (name === '' || value > displayNameLimitBytes) {
      showProblem(ids.problem, { code: name === '' ? 'name-missing' : 'name-too-long', limit: displayNameLimitBytes, value });
      field.focus();
      return;
    }
    showProblem(ids.problem, null);
    submit.setAttribute('aria-busy', 'true');
    try {
      keepName(name);
      await proceed(name);
    } catch (error) {
      showProblem(ids.problem, causeOf(error));
    } finally {
      submit.removeAttribute('aria-busy');
    }
  });
}

/** What stands in each form now, for the day it is read in another language. @type {Map<string, import('../causes.js').Cause | null>} */
const shown = new Map();
language.addEventListener('change', () => {
  for (const [id, cause] of shown) showProblem(id, cause);
});

/** @param {string} id @param {import('../causes.js').Cause | null} cause */
export function showProblem(id, cause) {
  shown.set(id, cause);
  const problem = find(id, HTMLParagraphElement);
  problem.hidden = cause === null;
  problem.textContent = cause === null ? '' : sentenceFor(cause);
  if (cause === null) delete problem.dataset.code;
  else problem.dataset.code = cause.code;
}
