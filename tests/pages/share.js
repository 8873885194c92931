// Says what is shared, which fails by REFUSAL, if that is not empty.
Navigator.prototype.canShare = ({ files }) => files.length === 1;
Navigator.prototype.share = async ({ files: [file] }) => {
  const { name, type, size } = file;
  document.documentElement.dataset.shared = [name, type, size > 10000].join(" ");
  if (REFUSAL) throw new DOMException("", REFUSAL);
};
