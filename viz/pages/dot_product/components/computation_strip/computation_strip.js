// The strip comes as HTML in which every text is escaped; st.html would take the SVG out of it.

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".place");
  if (!root) {
    root = document.createElement("div");
    root.className = "place";
    parentElement.appendChild(root);
  }
  if (root.innerHTML !== data.html) root.innerHTML = data.html;
}
