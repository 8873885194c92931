// Tells what the page keeps on as long as it does.
const ask = WakeLock.prototype.request;
WakeLock.prototype.request = async function (kind) {
  const lock = await ask.call(this, kind);
  document.documentElement.dataset.locked = kind;
  lock.addEventListener("release", () => delete document.documentElement.dataset.locked);
  return lock;
};
