// IndexedDB as promises: what a tab keeps on the device, in one database of its own.

/** `photos`: sealed facts by photo. `pieces`: sealed pieces of originals and thumbnails. `parts`: parts of bodies as the relay gave them. `about`: whose they are. */
const storeNames = /** @type {const} */ (['about', 'photos', 'pieces', 'parts']);
const version = 1;

/** @typedef {typeof storeNames[number]} StoreName */

export class Store {
  /** @type {IDBDatabase} */
  #database;

  /** @param {IDBDatabase} database */
  constructor(database) {
    this.#database = database;
    // Another page wants to delete or change it: it is that page's then.
    database.onversionchange = () => database.close();
  }

  /** @param {string} name @returns {Promise<Store>} */
  static async open(name) {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const storeName of storeNames) request.result.createObjectStore(storeName);
    };
    return new Store(await answer(request));
  }

  /** @param {string} name */
  static async delete(name) {
    await answer(indexedDB.deleteDatabase(name));
  }

  close() {
    this.#database.close();
  }

  /** @param {StoreName} name @param {IDBValidKey} key @returns {Promise<any>} */
  get(name, key) {
    return answer(this.#database.transaction(name).objectStore(name).get(key));
  }

  /** @param {StoreName} name @returns {Promise<IDBValidKey[]>} */
  keys(name) {
    return answer(this.#database.transaction(name).objectStore(name).getAllKeys());
  }

  /** Resolves once it is kept. @param {StoreName} name @param {IDBValidKey} key @param {unknown} value */
  put(name, key, value) {
    return this.#change(name, (store) => store.put(value, key));
  }

  /** @param {StoreName} name @param {IDBValidKey | IDBKeyRange} key */
  delete(name, key) {
    return this.#change(name, (store) => store.delete(key));
  }

  async clear() {
    for (const name of storeNames) await this.#change(name, (store) => store.clear());
  }

  /** @param {StoreName} name @param {(store: IDBObjectStore) => void} change @returns {Promise<void>} */
  #change(name, change) {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(name, 'readwrite');
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
      change(transaction.objectStore(name));
    });
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
