
(function () {
	var data = document.getElementById("runs"), link = document.getElementById("download");
	if (!data || !link) return;
	var lines = JSON.parse(data.textContent);
	link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], {type: "text/csv"}));
	link.hidden = false;
})();
