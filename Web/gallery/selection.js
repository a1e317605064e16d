// Which photos are selected, as a value: one by one, a range, all, none.

/** @typedef {{ isOn: boolean, ids: ReadonlySet<string>, anchor: string | null }} Selection `isOn`: a press on a photo selects it; `anchor`: where a range begins */

/** @type {Selection} */
export const noSelection = Object.freeze({ isOn: false, ids: new Set(), anchor: null });

/** @param {Selection} selection @param {string} id @returns {Selection} */
export function toggled(selection, id) {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { isOn: true, ids, anchor: id };
}

/** @param {Selection} selection @param {string} id @param {readonly string[]} order all photos as they are shown @returns {Selection} everything from the anchor to `id` too */
export function extended(selection, id, order) {
  const [from, to] = [order.indexOf(selection.anchor ?? id), order.indexOf(id)];
  if (from < 0 || to < 0) return toggled(selection, id);
  return { isOn: true, ids: new Set([...selection.ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor: selection.anchor ?? id };
}

/** @param {Selection} selection @param {readonly string[]} order @returns {Selection} without what is not shown any more */
export function retained(selection, order) {
  const shown = new Set(order);
  if ([...selection.ids].every((id) => shown.has(id))) return selection;
  return { ...selection, ids: new Set([...selection.ids].filter((id) => shown.has(id))) };
}
